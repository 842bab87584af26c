import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testBus, type TestBus, until } from '@platform/testing';
import type { Issuer } from './bus-claims.ts';
import { type BusConnection, type BusMessage, connectBus } from './connection.ts';
import {
  answerSubject, eventSubject, type Member, memberPermissions, memberRequestSubject, organizationImports,
  platformExports, requestSubject,
} from './member-subjects.ts';
import { addExports, createAccount, createAccountKeys, createUser, signAccount } from './operator.ts';
import { accountOf } from './read-jwt.ts';
import { lookUpAccount, pushAccount, removeAccounts } from './system-account.ts';

const shards = 4;
const productName = 'kubedb';
/** Two organizations in one shard. The first has two clusters. */
const acme: Member = { ownerId: 7, clusterUid: '00000000-0000-4000-8000-000000000007', productName };
const neighbour: Member = { ...acme, clusterUid: '00000000-0000-4000-8000-000000000077' };
const other: Member = { ownerId: 11, clusterUid: '00000000-0000-4000-8000-000000000011', productName };

const refused = { name: 'AuthorizationError' };
const nobodyListens = { name: 'RequestError', cause: { name: 'NoResponders' } };

let bus: TestBus;
let system: { url: string; credentials: string };
let platform: BusConnection;
/** Accounts by the id of their owner. */
const accounts = new Map<number, Issuer>();

beforeAll(async () => {
  bus = await testBus();
  system = { url: bus.url, credentials: bus.systemCredentials };
  const exporter = { publicKey: accountOf(bus.credentials), seed: bus.accountSeed };
  const held = (await lookUpAccount(system, exporter.publicKey, 5_000))!;
  const extended = await addExports(bus.operatorSeed, exporter.publicKey, held, platformExports);
  if (extended !== undefined) await pushAccount(system, extended, 5_000);
  for (const ownerId of [acme.ownerId, other.ownerId]) {
    const keys = createAccountKeys();
    const imports = await organizationImports(exporter, keys.publicKey, ownerId, shards);
    const jwt = await signAccount(bus.operatorSeed, keys.publicKey, {
      name: `organization-${ownerId}`, jetstream: false, imports, connections: 20,
    });
    await pushAccount(system, jwt, 5_000);
    accounts.set(ownerId, { ...keys, jwt });
  }
  platform = await connectBus({ url: bus.url, credentials: bus.credentials }, 5_000);
}, 60_000);

afterAll(async () => {
  await platform?.[Symbol.asyncDispose]();
});

/** Connects as a member does. `permissions` replaces the permissions of a member. */
async function connectAs(member: Member, permissions: { publish?: string[]; subscribe?: string[] } = {}) {
  const { seed } = accounts.get(member.ownerId)!;
  const { credentials } = await createUser(seed, { name: 'member', ...memberPermissions(member), ...permissions });
  return connectBus({ url: bus.url, credentials }, 5_000);
}

/** Connects to an organization's account without limits, as an attacker with stolen keys could. */
async function intruder(ownerId: number) {
  const { seed } = accounts.get(ownerId)!;
  const { credentials } = await createUser(seed, { name: 'intruder' });
  return connectBus({ url: bus.url, credentials }, 5_000);
}

describe('events of members (open-points 13.2)', () => {
  it('are refused at once where nobody stores them', async () => {
    await using member = await connectAs(acme);
    await expect(member.request(eventSubject(acme, shards), 'x', 5_000)).rejects.toMatchObject(nobodyListens);
  });

  it.each([
    ["another organization's", { ...other }],
    ["another cluster's of its own organization", neighbour],
    ["another product's", { ...acme, productName: 'stash' }],
  ])('cannot be %s', async (_whose, foreign) => {
    const heard: string[] = [];
    await platform.subscribe('arrivals.>', ({ text }) => heard.push(text));
    await using member = await connectAs(acme);
    await member.publish(eventSubject(foreign, shards), 'forged');
    await member.publish(eventSubject(acme, shards), 'true');
    await until(() => heard.includes('true'), { what: 'the permitted event arrives' });
    expect(heard).toEqual(['true']);
  });

  it('cannot be said in the name of another organization even by who owns the account', async () => {
    const heard: string[] = [];
    await platform.subscribe('arrivals.>', ({ text }) => heard.push(text));
    await using thief = await intruder(acme.ownerId);
    await expect(thief.request(eventSubject(other, shards), 'forged', 5_000)).rejects.toMatchObject(nobodyListens);
    // The organization cannot send to another shard either.
    const elsewhere = eventSubject(acme, shards).replace('.s3.', '.s0.');
    await expect(thief.request(elsewhere, 'forged', 5_000)).rejects.toMatchObject(nobodyListens);
    await thief.publish(eventSubject(acme, shards), 'true');
    await until(() => heard.includes('true'), { what: 'the permitted event arrives' });
    expect(heard).toEqual(['true']);
  });

  it('are heard by no other account, not even its owner', async () => {
    const heard: string[] = [];
    await using thief = await intruder(other.ownerId);
    await thief.subscribe('>', ({ text }) => heard.push(text));
    const stored: string[] = [];
    await platform.subscribe('arrivals.>', ({ text }) => stored.push(text));
    await using member = await connectAs(acme);
    await member.publish(eventSubject(acme, shards), 'secret');
    await until(() => stored.includes('secret'), { what: 'the event arrives' });
    await thief.publish('own', 'marker');
    await until(() => heard.includes('marker'), { what: 'the thief receives its own message' });
    expect(heard).toEqual(['marker']);
  });
});

describe('requests to members (open-points 13.4)', () => {
  it('reach the member asked, whose numbered chunks come back', async () => {
    await using member = await connectAs(acme);
    await member.subscribe(memberRequestSubject(acme), ({ text, replyTo }) => {
      void member.publish(replyTo!, `${text}: first`).then(() => member.publish(replyTo!, `${text}: last`));
    });
    const chunks: BusMessage[] = [];
    await platform.subscribe(answerSubject(acme, 'r1'), (message) => chunks.push(message));
    await platform.publish(requestSubject(acme), 'pods', { replyTo: answerSubject(acme, 'r1') });
    await until(() => chunks.length === 2, { what: 'both chunks arrive' });
    expect(chunks.map(({ text }) => text)).toEqual(['pods: first', 'pods: last']);
  });

  it('are known at once to reach nobody when the member is away', async () => {
    // Given
    const ask = (within: number) => platform.request(requestSubject(acme), 'pods', within);
    const heard: string[] = [];
    const member = await connectAs(acme);
    await member.subscribe(memberRequestSubject(acme), ({ text }) => heard.push(text));
    await platform.publish(requestSubject(acme), 'pods');
    await until(() => heard.length === 1, { what: 'the member is asked' });

    // When
    await member[Symbol.asyncDispose]();
    // The server removes the subscription of a closed connection with some delay.
    const isWithdrawn = () => ask(250).then(() => false, ({ cause }: Error) => (cause as Error | undefined)?.name === 'NoResponders');
    await until(isWithdrawn, { what: 'the interest of the member is withdrawn' });

    // Then
    await expect(ask(5_000)).rejects.toMatchObject(nobodyListens);
  });

  it('are heard by no other member and no other organization', async () => {
    await using sibling = await connectAs(neighbour);
    for (const subject of [memberRequestSubject(acme), requestSubject(acme), 'rpc.>', '>', answerSubject(acme, '*')]) {
      await expect(sibling.subscribe(subject, () => undefined))
        .rejects.toMatchObject({ name: 'PermissionViolationError' });
    }
    const overheard: string[] = [];
    await using thief = await intruder(other.ownerId);
    await thief.subscribe('>', ({ text }) => overheard.push(text));
    const heard: string[] = [];
    await using member = await connectAs(acme);
    await member.subscribe(memberRequestSubject(acme), ({ text }) => heard.push(text));
    await platform.publish(requestSubject(acme), 'secret');
    await until(() => heard.length === 1, { what: 'the member is asked' });
    await thief.publish('own', 'marker');
    await until(() => overheard.includes('marker'), { what: 'the thief receives its own message' });
    expect(overheard).toEqual(['marker']);
  });

  it('cannot be answered by another member, nor asked by one', async () => {
    const answers: string[] = [];
    await platform.subscribe(answerSubject(acme, '*'), ({ text }) => answers.push(text));
    const asked: string[] = [];
    await using member = await connectAs(acme);
    await member.subscribe(memberRequestSubject(acme), ({ text }) => asked.push(text));
    await using sibling = await connectAs(neighbour);
    await using thief = await intruder(other.ownerId);
    for (const forger of [sibling, thief]) {
      await forger.publish(answerSubject(acme, 'r1'), 'forged');
      await forger.publish(memberRequestSubject(acme), 'forged');
      await forger.publish(requestSubject(acme), 'forged');
    }
    await platform.publish(requestSubject(acme), 'true');
    await member.publish(answerSubject(acme, 'r1'), 'true');
    await until(() => answers.includes('true') && asked.includes('true'), { what: 'the true ones arrive' });
    expect([answers, asked]).toEqual([['true'], ['true']]);
  });
});

describe('accounts', () => {
  it('cannot import what is not theirs, though the operator vouches for them', async () => {
    const exporter = { publicKey: accountOf(bus.credentials), seed: bus.accountSeed };
    const keys = createAccountKeys();
    const imports = await organizationImports(exporter, keys.publicKey, 99, shards);
    const greedy = imports.map((one) => ({ ...one, subject: one.subject.replace('.99.', '.7.') }));
    const without = imports.map(({ activation: _activation, ...one }) => one);
    for (const wanted of [greedy, without]) {
      const claims = { name: 'greedy', jetstream: false, imports: wanted };
      const jwt = await signAccount(bus.operatorSeed, keys.publicKey, claims);
      await pushAccount(system, jwt, 5_000).catch(() => undefined);
      const { credentials } = await createUser(keys.seed, { name: 'thief' });
      const heard: string[] = [];
      await platform.subscribe('arrivals.>', ({ text }) => heard.push(text));
      const thief = await connectBus({ url: bus.url, credentials }, 5_000).catch(() => undefined);
      if (thief === undefined) continue;
      await thief.publish(eventSubject(acme, shards), 'forged');
      await thief[Symbol.asyncDispose]();
      await using member = await connectAs(acme);
      await member.publish(eventSubject(acme, shards), 'true');
      await until(() => heard.includes('true'), { what: 'the permitted event arrives' });
      expect(heard).toEqual(['true']);
    }
    await removeAccounts(system, bus.operatorSeed, [keys.publicKey], 5_000);
  });

  it('end the connections of a signing key that they drop, and admit nobody of it any more', async () => {
    const account = await createAccount(bus.operatorSeed, { name: 'signers', jetstream: false });
    const [kept, dropped] = [createAccountKeys(), createAccountKeys()];
    const tell = async (signingKeys: string[]) => {
      const claims = { name: 'signers', jetstream: false, signingKeys };
      await pushAccount(system, await signAccount(bus.operatorSeed, account.publicKey, claims), 5_000);
    };
    await tell([kept.publicKey, dropped.publicKey]);
    const users = await Promise.all([kept, dropped].map(({ seed }) =>
      createUser(seed, { name: 'u', account: account.publicKey })));
    const [stays, goes] = await Promise.all(users.map(({ credentials }) =>
      connectBus({ url: bus.url, credentials }, 5_000)));
    await tell([kept.publicKey]);
    await goes!.closed;
    const again = connectBus({ url: bus.url, credentials: users[1]!.credentials }, 5_000);
    await expect(again).rejects.toMatchObject(refused);
    await stays!.publish('still', 'here');
    await stays![Symbol.asyncDispose]();
    await removeAccounts(system, bus.operatorSeed, [account.publicKey], 5_000);
  });

  it('are forgotten with their connections, and again without complaint', async () => {
    const account = await createAccount(bus.operatorSeed, { name: 'goes', jetstream: false });
    await pushAccount(system, account.jwt, 5_000);
    expect(await lookUpAccount(system, account.publicKey, 5_000)).toBe(account.jwt);
    const { credentials } = await createUser(account.seed, { name: 'u' });
    const user = await connectBus({ url: bus.url, credentials }, 5_000);
    await removeAccounts(system, bus.operatorSeed, [account.publicKey], 5_000);
    expect(await user.closed).toBeInstanceOf(Error);
    expect(await lookUpAccount(system, account.publicKey, 5_000)).toBeUndefined();
    await expect(connectBus({ url: bus.url, credentials }, 5_000)).rejects.toMatchObject(refused);
    await removeAccounts(system, bus.operatorSeed, [account.publicKey], 5_000);
  });
});
