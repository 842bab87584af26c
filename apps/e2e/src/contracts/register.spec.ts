import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus } from '@platform/bus';
import { sql } from '@platform/postgres';
import { ownBus, until } from '@platform/testing';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import { bind, type ContractWorld, ok, startContractWorld } from './contract-world.ts';

let world: ContractWorld;
let owner: Person;
let acme: Organization;

beforeAll(async () => {
  const bus = await ownBus();
  world = await startContractWorld({ settings: bus.settings });
  owner = await world.person();
  acme = await world.organization(owner, { username: 'acme' });
}, 120_000);
afterAll(async () => world[Symbol.asyncDispose]());

interface Licensed {
  readonly cluster: string;
  /** Base64 of the PEM. */
  readonly license: string;
}

/** A cluster with a licence of this account. */
async function licensed(http = owner.http, uid = acme.id, query = '?org=acme'): Promise<Licensed> {
  const cluster = randomUUID();
  const { id } = await world.contract(uid, { products: ['productdb'] });
  await bind(world.siteAdmin.http, id, [{ cluster }]);
  const answer = await http.post(`/api/v1/license/issue${query}`, { json: { cluster } });
  return { cluster, license: ok<{ license: string }>(answer).license };
}

const register = (json: unknown) => world.nobody.post('/api/v1/register', { json });
const wish = ({ cluster, license }: Licensed, more: object = {}) =>
  ({ clusterUID: cluster, features: 'productdb', license, ...more });

async function registeredAt({ cluster }: Licensed): Promise<Date | null> {
  return (await world.rows.one(sql<{ at: Date | null }>`
    select registered_at as "at" from licence where cluster_uid = ${cluster}::uuid`)).at;
}

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
    const given = await licensed(someone.http, someone.id, '');
    expect((await register(wish(given))).status).toBe(200);
    expect(await registeredAt(given)).not.toBeNull();
    expect(await busAccounts(given)).toEqual([]);
  });

  it('makes an account without sign-in where the one of the licence is gone, and gives it no right', async () => {
    const someone = await world.person();
    const given = await licensed(someone.http, someone.id, '');
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
    await world.rows.execute(sql`
      insert into imported_cluster (id, owner_id, uid, name, display_name, imported_at)
      values (900, ${acme.id}, ${given.cluster}::uuid, 'lab', 'Lab', now())`);
    expect((await register(wish(given))).status).toBe(200);
    expect(await registeredAt(given)).not.toBeNull();
  });

  it('refuses in the order of open-points 6.3', async () => {
    const given = await licensed();
    const pem = Buffer.from(given.license, 'base64').toString();
    const base64 = (text: string) => Buffer.from(text).toString('base64');
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
    const { certificate } = await world.rows.one(sql<{ certificate: string }>`
      select certificate from license_authority where signs`);
    expect((await register(wish(given, { caCert: Buffer.from(certificate).toString('base64') }))).status).toBe(200);
  });

  it.each([
    ['`openssl x509 -text`', 'Certificate:\n    Data:\n        Version: 3 (0x2)\n        Signature Algorithm: ecdsa-with-SHA256\n'
      + '        X509v3 extensions:\n            X509v3 Subject Alternative Name: \n                email:5@licences - x\n'],
    ['`openssl pkcs12`', 'Bag Attributes\n    localKeyID: 01 00 00 00 \nsubject=CN = lab\n\nissuer=CN = authority\n\n'],
    ['an editor that marks UTF-8', '\ufeff'],
    ['lines of dashes', '---- licence ----\r\n'],
  ])('takes what %s writes before the PEM, of the licence and of the authority; nothing after it', async (_, text) => {
    const given = await licensed();
    const { certificate } = await world.rows.one(sql<{ certificate: string }>`
      select certificate from license_authority where signs`);
    const base64 = (pem: string) => Buffer.from(pem).toString('base64');
    const [license, caCert] = [Buffer.from(given.license, 'base64').toString(), certificate];
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
  let home: string;

  beforeAll(async () => {
    const bus = await ownBus();
    home = await mkdtemp(join(tmpdir(), 'platform-home-'));
    other = await startContractWorld({ settings: { ...bus.settings, home, 'license.registerReply': 'credentials' } });
    boss = await other.person();
    await other.organization(boss, { username: 'acme' });
  }, 120_000);
  afterAll(async () => {
    await other[Symbol.asyncDispose]();
    await rm(home, { recursive: true });
  });

  const registered = async (http = boss.http, uid?: number, query = '?org=acme') => {
    const cluster = randomUUID();
    const { id: acmeId } = ok<{ id: number }>(await boss.http.get('/api/v1/orgs/acme'));
    const { id } = await other.contract(uid ?? acmeId, { products: ['productdb'] });
    await bind(other.siteAdmin.http, id, [{ cluster }]);
    const answer = await http.post(`/api/v1/license/issue${query}`, { json: { cluster } });
    const wanted = { clusterUID: cluster, features: 'productdb', license: ok<{ license: string }>(answer).license };
    return { cluster, acmeId, register: () => other.nobody.post('/api/v1/register', { json: wanted }) };
  };

  /**
   * Waits until the stream of events answers a permitted subject, because it may be created a moment after the platform
   * is ready.
   */
  const taken = (agent: Awaited<ReturnType<typeof connectBus>>, subject: string) => until(
    () => agent.request(subject, '{}', 5_000).then(({ text }) => text.includes('"stream":"events-s0"'), () => false),
    { what: 'the event is taken', within: 20_000 },
  );

  interface Reply {
    readonly natsSubject: string;
    readonly natsServer: string;
    readonly credential: string;
  }
  const connectAs = ({ natsServer, credential }: Reply) =>
    connectBus({ url: natsServer, credentials: Buffer.from(credential, 'base64').toString() }, 5_000);

  it('gives those with which the agent publishes its own events, and no others', async () => {
    const { cluster, acmeId, register } = await registered();
    const answer = await register();
    expect(answer.header('content-type')).toBe('application/json');
    const reply = ok<Reply>(answer);
    expect(Object.keys(reply)).toEqual(['natsSubject', 'natsServer', 'credential']);
    expect(reply.natsSubject).toBe(`events.s0.user.${acmeId}.k8s.${cluster}.product.productdb`);
    await using agent = await connectAs(reply);
    await taken(agent, reply.natsSubject);
    const refused = await agent.request(reply.natsSubject.replace('.user.', '.user.9'), '{}', 500).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(Error);
  });

  it('replaces them at the next registration, and tells the owners', async () => {
    const { cluster, register } = await registered();
    const [first, second] = [ok<Reply>(await register()), ok<Reply>(await register())];
    expect(second.credential).not.toBe(first.credential);
    await expect(connectAs(first)).rejects.toThrow();
    await using agent = await connectAs(second);
    await taken(agent, second.natsSubject);
    const rows = await other.database.query(sql`
      select revoked_at is null as "live" from bus_user where cluster_id = ${cluster}::uuid order by id`);
    expect(rows).toEqual([{ live: false }, { live: true }]);
    const mails = () => readdir(join(home, 'mail')).catch(() => []);
    const [mail, ...others] = await until(async () => {
      const all = await mails();
      return all.length > 0 && all;
    }, { what: 'the owner is told', within: 20_000 });
    expect(others).toEqual([]);
    // Quoted-printable breaks long lines.
    const text = (await readFile(join(home, 'mail', mail!), 'utf8')).replaceAll(/=\r?\n/g, '');
    expect(text).toMatch(new RegExp(`^To: .*${boss.username}`, 'mi'));
    expect(text).toContain(cluster);
    const audit = await other.database.query(sql`
      select action from audit where action = 'bus_account.revoke' and details ->> 'replacedBy' is not null`);
    expect(audit).toHaveLength(1);
  });

  it('is empty for the licence of a user', async () => {
    const someone = await other.person();
    const { register } = await registered(someone.http, someone.id, '');
    const answer = await register();
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});

describe('where registration is not permitted', () => {
  it.each<[string, object]>([
    ['in a demonstration', { 'deployment.type': 'CloudDemo' }],
    ['where it is switched off', { 'license.selfRegistration': 'off' }],
  ])('it is refused before anything else: %s', async (_where, settings) => {
    const other = await startContractWorld({ settings: settings as Readonly<Record<string, string>> });
    for (const body of ['{', '{}', JSON.stringify({ clusterUID: 'lab' })]) {
      const headers = { 'content-type': 'application/json' };
      const answer = await other.nobody.post('/api/v1/register', { body, headers });
      expect(outcome(answer)).toBe('403 registration_unsupported');
    }
    await other[Symbol.asyncDispose]();
  }, 120_000);
});
