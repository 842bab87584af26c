import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { TokenServiceService } from '@platform/proto/orgs/v1/token';
import { StatusServiceService } from '@platform/proto/status/v1/status';
import { sql } from '@platform/postgres';
import { createSealer, Secret } from '@platform/service';
import { as, rpcClient, type StartedService, testSecret, until } from '@platform/testing';
import { operator, reasonOf, startPlatform, type TestPlatform, type TestUser } from '../fixtures/platform.ts';

const [older, newer] = [testSecret(), testSecret()];
const idOf = (key: string) => createSealer([new Secret(key)]).keyId;

let platform: TestPlatform;
let owner: TestUser;
beforeAll(async () => {
  platform = await startPlatform({ settings: { 'secrets.encryptionKeys': older }, ownProcess: 'killed' });
  owner = await platform.user();
}, 120_000);
afterAll(() => platform?.[Symbol.asyncDispose]());

const internal = () => ({ serviceCredential: platform.serviceCredential });

/** A replica with other keys, and its clients. */
async function withKeys(keys: string) {
  const service: StartedService = await platform.startAnother({ 'secrets.encryptionKeys': keys });
  const [admin, tokens] = await Promise.all([
    rpcClient(AdminServiceService, service, internal()),
    rpcClient(TokenServiceService, service),
  ]);
  return { service, admin, tokens, stop: () => service.stop(), kill: () => service.replicas[0].kill() };
}

async function organization(name: string): Promise<void> {
  await platform.organization(owner, { username: name, managerManagementClusterEndPoint: 'https://manager.example' });
}

const set = (tokens: TestPlatform['tokens'], orgname: string, sha1: string) =>
  tokens.createSyncToken({ orgname, name: 'key', sha1 }, as(owner.token, 20_000));
const read = async (tokens: TestPlatform['tokens'], orgname: string) =>
  (await tokens.getSyncToken({ orgname }, as(owner.token))).secretAccessKey;
const sealedBy = async () => (await platform.database.query(sql<{ key: string; count: number }>`
  select sealed_by as "key", count(*) as "count" from sync_token group by sealed_by order by sealed_by`))
  .map(({ key, count }): [string, number] => [key, count]);

/** Adds this many rows to organization busy-1, each for a different user, sealed with the older key. */
async function sealWithOlder(count: number): Promise<void> {
  const people = await platform.database.query(sql<{ id: number; organizationId: number }>`
    with person as (
      insert into account (kind, name)
      select 'person', 'l-' || gen_random_uuid() from generate_series(1, ${count}::integer)
      returning id
    )
    select person.id, organization.id as "organizationId"
      from person, account organization where organization.name = 'busy-1'`);
  const sealer = createSealer([new Secret(older)]);
  const sealed = people.map(({ id, organizationId }) =>
    sealer.seal(new Secret(`of ${id}`), `sync_token/${organizationId}/${id}`).bytes);
  await platform.database.execute(sql`
    insert into sync_token (organization_id, user_id, access_key_id, sealed_by, sealed_secret)
    select ${people[0]!.organizationId}::bigint, id, 'key', ${sealer.keyId}, bytes
      from unnest(${people.map(({ id }) => id)}::bigint[], ${sealed}::bytea[]) token (id, bytes)`);
}

/** Number of rows of users, and the rows that the newer key does not decrypt correctly. */
async function openedWithNewer(): Promise<{ rows: number; wrong: unknown[] }> {
  const opener = createSealer([new Secret(newer)]);
  const rows = await platform.database.query(sql<{ id: number; organizationId: number; bytes: Buffer }>`
    select user_id as "id", organization_id as "organizationId", sealed_secret as "bytes"
      from sync_token where user_id is not null`);
  const wrong = rows.filter(({ id, organizationId, bytes }) =>
    opener.open({ keyId: opener.keyId, bytes }, `sync_token/${organizationId}/${id}`).reveal() !== `of ${id}`);
  return { rows: rows.length, wrong };
}

describe('platform admin keys rotate', () => {
  it('seals everything with the newest key, after which the older one is needed no more', async () => {
    await organization('rotated');
    await set(platform.tokens, 'rotated', 'kept');
    expect(await sealedBy()).toEqual([[idOf(older), 1]]);
    const both = await withKeys(`${newer},${older}`);
    expect(await read(both.tokens, 'rotated')).toBe('kept');
    expect(await both.admin.rotateKeys({}, operator())).toEqual({ resealed: 1, unreadable: 0 });
    expect(await sealedBy()).toEqual([[idOf(newer), 1]]);
    expect(await both.admin.rotateKeys({}, operator())).toEqual({ resealed: 0, unreadable: 0 });
    const alone = await withKeys(newer);
    expect(await read(alone.tokens, 'rotated')).toBe('kept');
    const { entries } = await platform.admin.listAudit(
      { account: '', action: 'keys.rotate', pageSize: 0, pageToken: '' }, operator(),
    );
    expect(entries).toHaveLength(1);
    // A replica with only the older key cannot read it any more, and reveals nothing.
    expect(await reasonOf(read(platform.tokens, 'rotated'))).toBe('INTERNAL');
    expect(await platform.admin.rotateKeys({}, operator())).toEqual({ resealed: 0, unreadable: 1 });
    // `platform doctor` names the key that is missing.
    const lostKeys = async (service: StartedService) =>
      (await (await rpcClient(StatusServiceService, service, internal())).getStatus({}, operator())).lostKeys;
    expect(await lostKeys(platform.service)).toEqual([{ table: 'sync_token', keyId: idOf(newer), secrets: 1 }]);
    expect(await lostKeys(alone.service)).toEqual([]);
    await Promise.all([both.stop(), alone.stop()]);
    await platform.database.execute(sql`delete from sync_token`);
  }, 120_000);

  it('leaves what was moved to another row unread', async () => {
    await Promise.all([organization('mine'), organization('theirs')]);
    await set(platform.tokens, 'mine', 'my secret');
    await set(platform.tokens, 'theirs', 'their secret');
    await platform.database.execute(sql`
      update sync_token mine set sealed_secret = theirs.sealed_secret
        from sync_token theirs
       where mine.organization_id <> theirs.organization_id`);
    expect(await reasonOf(read(platform.tokens, 'mine'))).toBe('INTERNAL');
    expect(await reasonOf(read(platform.tokens, 'theirs'))).toBe('INTERNAL');
    await platform.database.execute(sql`delete from sync_token`);
  });

  it('under load loses nothing that is set meanwhile, and no reader sees anything else than what was set', async () => {
    const count = 450;
    await Promise.all(['busy-1', 'busy-2', 'busy-3'].map(organization));
    await sealWithOlder(count);
    const both = await withKeys(`${newer},${older}`);
    await Promise.all(['busy-1', 'busy-2', 'busy-3'].map((name) => set(both.tokens, name, 'round -1')));

    let rotating = true;
    const last = new Map<string, string>();
    const writers = ['busy-1', 'busy-2', 'busy-3'].map(async (name) => {
      for (let round = 0; rotating || round < 20; round += 1) {
        await set(both.tokens, name, `round ${round}`);
        last.set(name, `round ${round}`);
        expect(await read(both.tokens, name)).toBe(`round ${round}`);
      }
    });
    const rotate = () => both.admin.rotateKeys({}, as(undefined, 30_000));
    const [one, other] = await Promise.all([rotate(), rotate()]);
    rotating = false;
    await Promise.all(writers);
    expect(one.unreadable + other.unreadable).toBe(0);
    expect(one.resealed + other.resealed).toBe(count);
    expect(await sealedBy()).toEqual([[idOf(newer), count + 3]]);
    for (const [name, secret] of last) expect(await read(both.tokens, name)).toBe(secret);
    expect(await openedWithNewer()).toEqual({ rows: count, wrong: [] });
    await both.stop();
  }, 180_000);

  it('takes up what a killed replica left, which is readable at any moment', async () => {
    const count = 450;
    await platform.database.execute(sql`delete from sync_token`);
    await sealWithOlder(count);
    const keys = `${newer},${older}`;
    const [killed, other] = await Promise.all([withKeys(keys), withKeys(keys)]);
    const later = sql<{ id: number }>`select id from sync_token order by id offset 300 limit 1`;
    const { id } = await platform.database.one(later);
    // Pause before the second batch, so that the kill comes between two batches.
    await platform.database.transact(async (transaction) => {
      await transaction.execute(sql`select from sync_token where id = ${id} for update`);
      const rotating = killed.admin.rotateKeys({}, operator()).catch((error: unknown) => error);
      await until(async () => (await sealedBy()).length === 2, { what: 'the first batch is sealed again' });
      await killed.kill();
      await rotating;
    });
    const done = new Map(await sealedBy());
    expect([...done.values()].reduce((sum, rows) => sum + rows, 0)).toBe(count);
    await expect(other.admin.rotateKeys({}, operator())).resolves.toEqual({
      resealed: done.get(idOf(older)), unreadable: 0,
    });
    expect(await sealedBy()).toEqual([[idOf(newer), count]]);
    expect(await openedWithNewer()).toEqual({ rows: count, wrong: [] });
    await other.stop();
  }, 120_000);
});
