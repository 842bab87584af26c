import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus } from '@platform/bus';
import { sql } from '@platform/postgres';
import { ownBus, type ServiceSettings, until } from '@platform/testing';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import {
  type ContractWorld, issue, ok, pemOf, type ShownLicence, startAcme, startContractWorld,
} from './contract-world.ts';

let world: ContractWorld;
let owner: Person;
let acme: Organization;

beforeAll(async () => {
  const { settings } = await ownBus();
  ({ world, owner, acme } = await startAcme({ settings }));
}, 120_000);
afterAll(async () => world[Symbol.asyncDispose]());

/** A cluster with a licence of this account. */
async function licensed({ id, http } = { id: acme.id, http: owner.http }, query = '?org=acme', at = world) {
  const { cluster } = await at.bound(id, { products: ['productdb'] });
  return { cluster, license: ok<ShownLicence>(await issue(http, { cluster }, query)).license };
}
type Licensed = Awaited<ReturnType<typeof licensed>>;
const register = (json: unknown, at = world) => at.nobody.post('/api/v1/register', { json });
const base64 = (text: string) => Buffer.from(text).toString('base64');
const wish = ({ cluster, license }: Licensed, more: object = {}) =>
  ({ clusterUID: cluster, features: 'productdb', license, ...more });
const registeredAt = async ({ cluster }: Licensed) => (await world.rows.one(sql<{ at: Date | null }>`
  select registered_at as "at" from licence where cluster_uid = ${cluster}::uuid`)).at;
const busAccounts = async ({ cluster }: Licensed) => (await world.database.query(sql<{ name: string }>`
  select product_name as "name" from bus_user where cluster_id = ${cluster}::uuid`)).map(({ name }) => name);

describe('POST /register', () => {
  it('registers a licence, without credentials and as often as it is asked', async () => {
    const given = await licensed();
    expect(await registeredAt(given)).toBeNull();
    const spelled = { clusterUID: given.cluster.toUpperCase(), features: 'x, productdb-enterprise;y' };
    const answer = await register(wish(given, spelled));
    expect([answer.status, answer.text]).toEqual([200, '']);
    const first = await registeredAt(given);
    expect(first).not.toBeNull();
    expect(await busAccounts(given)).toEqual(['productdb']);
    const again = await Promise.all([1, 2, 3].map(() => register(wish(given, { caCert: '' }))));
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await registeredAt(given)).toEqual(first);
    expect(await busAccounts(given)).toEqual(['productdb']);
  });

  it('takes the licence of a user, for whom there are no credentials at the bus', async () => {
    const someone = await world.person();
    const given = await licensed(someone, '');
    expect((await register(wish(given))).status).toBe(200);
    expect(await registeredAt(given)).not.toBeNull();
    expect(await busAccounts(given)).toEqual([]);
  });

  it('makes an account without sign-in where the one of the licence is gone, and gives it no right', async () => {
    const someone = await world.person();
    const given = await licensed(someone, '');
    await world.rows.execute(sql`delete from contract where owner_id = ${someone.id}`);
    await world.database.execute(sql`delete from account where id = ${someone.id}`);
    for (const status of [200, 200]) expect((await register(wish(given))).status).toBe(status);
    const made = await world.database.query(sql`
      select active, prohibit_login as "prohibited" from account where name = ${`licensed-${someone.id}`}`);
    expect(made).toEqual([{ active: false, prohibited: true }]);
  });

  it('takes a licence that this platform has signed and has no row of, also of a revoked contract', async () => {
    const [given, other] = [await licensed(), await licensed()];
    await world.rows.execute(sql`update contract set revoked_at = now() where owner_id = ${acme.id}`);
    await world.rows.execute(sql`
      update licence set cluster_uid = ${other.cluster}::uuid where cluster_uid = ${given.cluster}::uuid`);
    expect(outcome(await register(wish(given)))).toBe('400 cluster_not_registered');
    await world.rows.execute(sql`delete from licence where cluster_uid = ${other.cluster}::uuid`);
    await world.imported(acme.id, given.cluster);
    expect((await register(wish(given))).status).toBe(200);
    expect(await registeredAt(given)).not.toBeNull();
  });

  it('refuses in the order of open-points 6.3', async () => {
    const given = await licensed();
    const pem = pemOf(given);
    const cases: [object, string][] = [
      [wish(given, { clusterUID: 'lab', features: '' }), '422 validation_failed'],
      [wish(given, { license: '%%%', features: '' }), '422 validation_failed'],
      [wish(given, { license: undefined }), '422 validation_failed'],
      [wish(given, { features: undefined }), '422 validation_failed'],
      [wish(given, { features: ' a'.repeat(1_001) }), '422 validation_failed'],
      [wish(given, { features: ' ,; ', clusterUID: randomUUID() }), '400 empty_features'],
      [wish(given, { features: 'productdb', clusterUID: randomUUID() }), '400 cluster_not_registered'],
      [wish(given, { license: '' }), '422 invalid_license'],
      [wish(given, { license: base64(pem + pem) }), '422 invalid_license'],
      [wish(given, { license: base64(pem.replace('MII', 'MIJ')) }), '422 invalid_license'],
      [wish(given, { features: 'ProductDB' }), '422 invalid_license'],
      [wish(given, { clusterUID: (await licensed()).cluster }), '422 invalid_license'],
      [wish(given, { caCert: given.license }), '422 invalid_license'],
      [wish(given, { caCert: base64('x') }), '422 invalid_license'],
    ];
    for (const [json, expected] of cases) expect([outcome(await register(json)), json]).toEqual([expected, json]);
    expect(await registeredAt(given)).toBeNull();
  });

  it('takes the authority of the platform as caCert', async () => {
    const given = await licensed();
    expect((await register(wish(given, { caCert: base64(await world.authority()) }))).status).toBe(200);
  });

  it.each([
    ['`openssl x509 -text`', 'Certificate:\n    Data:\n        Version: 3 (0x2)\n        Signature Algorithm: ecdsa-with-SHA256\n'
      + '        X509v3 extensions:\n            X509v3 Subject Alternative Name: \n                email:5@licences - x\n'],
    ['`openssl pkcs12`', 'Bag Attributes\n    localKeyID: 01 00 00 00 \nsubject=CN = lab\n\nissuer=CN = authority\n\n'],
    ['an editor that marks UTF-8', '\ufeff'],
    ['lines of dashes', '---- licence ----\r\n'],
  ])('takes what %s writes before the PEM, of the licence and of the authority; nothing after it', async (_, text) => {
    const given = await licensed();
    const [license, caCert] = [pemOf(given), await world.authority()];
    for (const refused of [
      { license: base64(license + text + license) }, { caCert: base64(caCert + text + caCert) },
      { license: base64(`${text}-----BEGIN X-----\nAA==\n-----END X-----\n${license}`) }, { caCert: base64(text) },
      { license: base64(text) }, { license: base64(`${text}${license}x`) }, { caCert: base64(`${text}${caCert}x`) },
    ]) expect([outcome(await register(wish(given, refused))), refused]).toEqual(['422 invalid_license', refused]);
    expect(await registeredAt(given)).toBeNull();
    expect((await register(wish(given, { license: base64(text + license), caCert: base64(text + caCert) }))).status).toBe(200);
    expect(await registeredAt(given)).not.toBeNull();
  });
});

describe('POST /register that answers credentials', () => {
  let other: ContractWorld;
  let boss: Person;
  let theirs: Organization, home: string;

  beforeAll(async () => {
    const { settings } = await ownBus();
    home = await mkdtemp(join(tmpdir(), 'platform-home-'));
    ({ world: other, owner: boss, acme: theirs } = await startAcme({
      settings: { ...settings, home, 'license.registerReply': 'credentials' },
    }));
  }, 120_000);
  afterAll(async () => {
    await other[Symbol.asyncDispose]();
    await rm(home, { recursive: true });
  });

  /** A cluster with a licence of the organization, and a function that registers it. */
  const registrable = async () => {
    const given = await licensed({ id: theirs.id, http: boss.http }, '?org=acme', other);
    return { cluster: given.cluster, register: () => register(wish(given), other) };
  };

  /**
   * Waits until the stream of events answers a permitted subject, because it may be created a moment after the platform
   * is ready.
   */
  const taken = (agent: Awaited<ReturnType<typeof connectBus>>, subject: string) => until(
    () => agent.request(subject, '{}', 5_000).then(({ text }) => text.includes('"stream":"events-s0"'), () => false),
    { what: 'the event is taken' },
  );

  type Reply = Readonly<Record<'natsSubject' | 'natsServer' | 'credential', string>>;
  const connectAs = ({ natsServer, credential }: Reply) =>
    connectBus({ url: natsServer, credentials: Buffer.from(credential, 'base64').toString() }, 5_000);

  it('gives those with which the agent publishes its own events, and no others', async () => {
    const { cluster, register } = await registrable();
    const answer = await register();
    expect(answer.header('content-type')).toBe('application/json');
    const reply = ok<Reply>(answer);
    expect(Object.keys(reply)).toEqual(['natsSubject', 'natsServer', 'credential']);
    expect(reply.natsSubject).toBe(`events.s0.user.${theirs.id}.k8s.${cluster}.product.productdb`);
    await using agent = await connectAs(reply);
    await taken(agent, reply.natsSubject);
    const refused = await agent.request(reply.natsSubject.replace('.user.', '.user.9'), '{}', 500).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(Error);
  });

  it('replaces them at the next registration, and tells the owners', async () => {
    const { cluster, register } = await registrable();
    const [first, second] = [ok<Reply>(await register()), ok<Reply>(await register())];
    expect(second.credential).not.toBe(first.credential);
    await expect(connectAs(first)).rejects.toThrow();
    await using agent = await connectAs(second);
    await taken(agent, second.natsSubject);
    const rows = await other.database.query(sql`
      select revoked_at is null as "live" from bus_user where cluster_id = ${cluster}::uuid order by id`);
    expect(rows).toEqual([{ live: false }, { live: true }]);
    const mails = () => readdir(join(home, 'mail')).then((all) => all.length > 0 && all);
    const [mail, ...others] = await until(mails, { what: 'the owner gets a mail' });
    expect(others).toEqual([]);
    // Joins the lines that the encoding quoted-printable has broken.
    const text = (await readFile(join(home, 'mail', mail!), 'utf8')).replaceAll(/=\r?\n/g, '');
    expect(text).toMatch(new RegExp(`^To: .*${boss.username}`, 'mi'));
    expect(text).toContain(cluster);
    const audit = await other.database.query(sql`
      select action from audit where action = 'bus_account.revoke' and details ->> 'replacedBy' is not null`);
    expect(audit).toHaveLength(1);
  });

  it('is empty for the licence of a user', async () => {
    const answer = await register(wish(await licensed(await other.person(), '', other)), other);
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});

describe('where registration is not permitted', () => {
  it.each<[string, ServiceSettings]>([
    ['in a demonstration', { 'deployment.type': 'CloudDemo' }],
    ['where it is switched off', { 'license.selfRegistration': 'off' }],
  ])('it is refused before anything else: %s', async (_where, settings) => {
    await using other = await startContractWorld({ settings });
    const headers = { 'content-type': 'application/json' };
    for (const body of ['{', '{}', JSON.stringify({ clusterUID: 'lab' })]) {
      const answer = await other.nobody.post('/api/v1/register', { body, headers });
      expect(outcome(answer)).toBe('403 registration_unsupported');
    }
  }, 120_000);
});
