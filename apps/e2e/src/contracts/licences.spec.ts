import { randomUUID, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { type HttpRequest, until, verifyInField } from '@platform/testing';
import { specCall } from '../operator.ts';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import {
  bind, type ContractWorld, day, inSeconds, issue, ok, pemOf, type ShownContract, type ShownLicence, startAcme,
} from './contract-world.ts';

let world: ContractWorld, admin: Person['http'];
let editor: Person, viewer: Person;
let acme: Organization, authority: string;

beforeAll(async () => {
  ({ world, admin, editor, viewer, acme } = await startAcme());
  authority = await world.authority();
});
afterAll(async () => world[Symbol.asyncDispose]());

/** The values that an installed verifier reads from a licence. */
const read = (licence: ShownLicence, cluster: string) => verifyInField(pemOf(licence), authority, cluster, new Date());
const seconds = (moment: Date) => Math.floor(moment.getTime() / 1000);
const rfc3339 = (unix: number) => `${new Date(unix * 1000).toISOString().slice(0, 19)}Z`;

/** A contract of the organization with one cluster. */
const contractWith = (given = {}, uid = acme.id) => world.bound(uid, given);
/** The organization's token for a cluster. */
const tokenFor = async (clusterUid: string, name: string) => (await world.operator.admin.createToken(
  { user: '', organization: 'acme', name, expiresInSeconds: 0, clusterUid }, specCall(),
)).token;
/** Start and end of a trial that is over. */
const over = sql`started_at = now() - interval '31 days', ends_at = now() - interval '1 day'`;
const offline = (http: Person['http'], id: number, cc: number) =>
  http.post(`/api/v1/user/contracts/${id}/clusters/${cc}/issue-license?org=acme`);
const offlineByAdmin = (id: number, cc: number, http = admin, request: HttpRequest = {}) =>
  http.post(`/api/v1/contracts/${id}/clusters/${cc}/issue-license`, request);

describe('an online licence', () => {
  it('is for seven days and says what the contract says', async () => {
    const restrictions = '{"ProductDB":{"versionConstraint":">= 15"}}';
    const { contract, cluster } = await contractWith({
      products: ['productdb'], end: inSeconds(30 * day), disableAnalytics: true, enableClientBilling: true, restrictions,
    });
    const asked = { cluster: cluster.toUpperCase(), features: ['productdb'] };
    const answer = ok<ShownLicence>(await issue(editor.http, asked));
    expect(answer.contract).toEqual({
      id: String(contract.id), startTimestamp: rfc3339(contract.start), expiryTimestamp: rfc3339(contract.end),
    });
    const licence = read(answer, cluster);
    expect(licence).toMatchObject({
      clusterId: cluster, productLine: 'productdb', tier: 'enterprise', plan: 'productdb-enterprise',
      features: contract['features'], flags: { DisableAnalytics: 'true', EnableClientBilling: 'true', Restrictions: restrictions },
      email: `${acme.id}@id.platform.dev`,
    });
    expect(seconds(licence.notAfter) - seconds(licence.notBefore)).toBe(7 * day + 600);
    expect(Math.abs(seconds(licence.notBefore) - inSeconds(-600))).toBeLessThan(60);
    expect(await world.events(contract.id)).toContain(`${editor.username} license.issued ${licence.id}`);
  });

  it('ends with the contract', async () => {
    const { contract, cluster } = await contractWith({ end: inSeconds(day) });
    expect(seconds(read(ok(await issue(editor.http, { cluster })), cluster).notAfter)).toBe(contract.end);
  });

  it('is another one at each call, with a serial and a key of its own', async () => {
    const { cluster } = await contractWith();
    const ask = async () => new X509Certificate(pemOf(ok(await issue(editor.http, { cluster }))));
    const certificates = await Promise.all([ask(), ask(), ask()]);
    expect(new Set(certificates.map(({ serialNumber }) => serialNumber)).size).toBe(3);
    const keys = certificates.map(({ publicKey }) => publicKey.export({ type: 'spki', format: 'pem' }));
    expect(new Set(keys).size).toBe(3);
  });

  it('is under the contract with most common features, then the latest end, then the lowest id', async () => {
    const cluster = randomUUID();
    const make = async (features: string[], end: number, products = ['productdb']) => {
      const { id } = await world.contract(acme.id, { products, features, end: inSeconds(end) });
      await bind(admin, id, [{ cluster }]);
      return String(id);
    };
    const [first, second, late, many] = [
      await make(['productdb'], 2 * day), await make(['productdb'], 2 * day), await make(['productdb'], 3 * day),
      await make(['productdb', 'productdb-enterprise'], day),
    ];
    const chosen = async (...features: string[]) =>
      ok<ShownLicence>(await issue(editor.http, { cluster, features })).contract.id;
    expect(await chosen('productdb', 'productdb-enterprise')).toBe(many);
    expect(await chosen('productdb')).toBe(late);
    // A feature that is requested several times counts once.
    const backup = await make([], 9 * day, ['productbackup']);
    expect(await chosen('productbackup', 'productbackup', 'productbackup', 'productdb', 'productdb-enterprise')).toBe(many);
    for (const id of [backup, late]) await world.revoke(Number(id));
    await world.rows.execute(sql`
      update contract set ends_at = (select ends_at from contract where id = ${first}::bigint)
       where id = ${second}::bigint`);
    expect(await chosen('productdb')).toBe(first);
    expect(outcome(await issue(editor.http, { cluster, features: ['scanner'] }))).toBe('405 no_active_contract');
  });

  it.each([['without a key', {}], ['with a key', { 'idempotency-key': randomUUID() }]])(
    'is under the next contract when the first one lets the cluster go meanwhile, %s', async (_key, headers) => {
      const features = ['productdb'];
      const { contract: { id: next }, cluster } = await contractWith({ products: features, end: inSeconds(2 * day) });
      const { id: first } = await world.contract(acme.id, { products: features, end: inSeconds(3 * day) });
      await bind(admin, first, [{ cluster }]);
      const ask = () => editor.http.post('/api/v1/license/issue?org=acme', { json: { cluster, features }, headers });
      const asked = await world.rows.transact(async (transaction) => {
        await transaction.query(sql`select from contract where id = ${first} for update`);
        const asking = ask();
        await until(async () => (await world.rows.query(sql`
          select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and application_name = 'contracts-licensing'`))
          .length > 0, { what: 'the licence waits for its contract' });
        await transaction.execute(sql`
          delete from contract_cluster where contract_id = ${first} and cluster_uid = ${cluster}::uuid`);
        return { asking };
      });
      const answer = await asked.asking;
      const licence = ok<ShownLicence>(answer);
      expect(licence.contract.id).toBe(String(next));
      if ('idempotency-key' in headers) expect((await ask()).text).toBe(answer.text);
      const serial = BigInt(`0x${new X509Certificate(pemOf(licence)).serialNumber}`);
      expect(await world.rows.query(sql`
        select contract_id as id, event from contract_event
         where contract_id in (${first}, ${next}) and event like 'license.issued %'`))
        .toEqual([{ id: next, event: `license.issued ${serial}` }]);
    },
  );

  it('is for the only cluster of the account when none is named', async () => {
    const someone = await world.person();
    expect(outcome(await issue(someone.http, {}, ''))).toBe('422 validation_failed');
    const { cluster } = await contractWith({}, someone.id);
    expect(read(ok(await issue(someone.http, undefined, '')), cluster).email).toBe(`${someone.id}@id.platform.dev`);
    expect(read(ok(await issue(someone.http, { cluster: '', features: null }, '')), cluster).clusterId).toBe(cluster);
    const { cluster: another } = await contractWith({}, someone.id);
    expect(outcome(await issue(someone.http, { cluster: '' }, ''))).toBe('422 validation_failed');
    expect(read(ok(await issue(someone.http, { cluster: another }, '')), another).clusterId).toBe(another);
  });

  it('is for the cluster that the token was made for, with the token of the organization', async () => {
    const clusters = [await contractWith(), await contractWith()];
    const http = world.as(await tokenFor(clusters[1]!.cluster, 'installer'));
    const licence = read(ok(await issue(http, {}, '')), clusters[1]!.cluster);
    expect(licence.email).toBe(`${acme.id}@id.platform.dev`);
    expect(await world.events(clusters[1]!.contract.id)).toContain(`org-${acme.id}-system license.issued ${licence.id}`);
    expect(read(ok(await issue(http, { cluster: clusters[0]!.cluster }, '')), clusters[0]!.cluster).id).toBeTruthy();
  });

  it.each(['lab', 5])('refuses the cluster %j', async (cluster) => {
    expect(outcome(await issue(editor.http, { cluster }))).toBe('422 validation_failed');
  });

  it('needs the right to issue licences, and an organization that is there', async () => {
    const { cluster } = await contractWith();
    expect(outcome(await issue(viewer.http, { cluster }))).toBe('403 forbidden');
    expect(outcome(await issue((await world.person()).http, { cluster }))).toBe('403 not_org_member');
    expect(outcome(await issue(editor.http, { cluster }, '?org=nobody'))).toBe('404 not_found');
  });

  it.each<[string, (contract: ShownContract) => Promise<unknown>]>([
    ['contract_revoked', ({ id }) => world.revoke(id)],
    ['contract_expired', ({ id }) => world.expire(id)],
    ['contract_not_started', ({ id }) => world.rows.execute(sql`
      update contract set starts_at = now() + interval '1 hour' where id = ${id}`)],
  ])('is not given: 405 %s', async (code, change) => {
    const { contract, cluster, cc } = await contractWith({ allowOffline: true });
    await change(contract);
    const answer = await issue(editor.http, { cluster });
    expect(outcome(answer)).toBe(`405 ${code}`);
    expect(answer.header('allow')).toBeUndefined();
    for (const id of [cc, 999_999]) {
      expect(outcome(await offlineByAdmin(contract.id, id))).toBe(`405 ${code}`);
      expect(outcome(await offline(editor.http, contract.id, id))).toBe(`405 ${code}`);
    }
  });
});

it('is not given again to a token for another cluster, with the same key', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const ask = async () => {
    const { cluster } = await contractWith();
    const http = world.as(await tokenFor(cluster, 'agent'));
    return { cluster, ask: () => http.post('/api/v1/license/issue', { json: {}, headers }) };
  };
  const [one, other] = [await ask(), await ask()];
  const licence = ok<ShownLicence>(await one.ask());
  expect(read(licence, one.cluster).clusterId).toBe(one.cluster);
  expect(outcome(await other.ask())).toBe('422 idempotency_key_reused');
  expect(ok(await one.ask())).toEqual(licence);
});

describe('a trial', () => {
  it('is given once to a cluster that the account knows and nobody has a contract for', async () => {
    const someone = await world.person();
    const cluster = randomUUID();
    expect(outcome(await issue(someone.http, { cluster }, ''))).toBe('405 no_active_contract');
    await world.imported(someone.id, cluster);
    const first = ok<ShownLicence>(await issue(someone.http, { cluster, features: ['scanner', 'productvault'] }, ''));
    const licence = read(first, cluster);
    expect(first.contract).toEqual({
      id: '0', startTimestamp: first.contract.startTimestamp, expiryTimestamp: rfc3339(seconds(licence.notAfter)),
    });
    expect(licence).toMatchObject({
      plan: 'productvault-enterprise', flags: {},
      features: ['platform', 'productvault', 'productvault-community', 'productvault-enterprise', 'scanner'],
    });
    expect(seconds(licence.notAfter) - seconds(licence.notBefore)).toBeGreaterThanOrEqual(30 * day + 600 - 1);
    expect(read(ok(await issue(someone.http, { cluster }, '')), cluster).notAfter).toEqual(licence.notAfter);
    expect(outcome(await issue(someone.http, { cluster, features: ['unheard-of'] }, ''))).toBe('405 no_active_contract');
    await world.rows.execute(sql`update account_trial set ${over} where cluster_uid = ${cluster}::uuid`);
    expect(outcome(await issue(someone.http, { cluster }, ''))).toBe('405 no_active_contract');
  });

  it('is not given to a cluster in a contract of the account', async () => {
    const { contract, cluster } = await contractWith();
    await world.imported(acme.id, cluster);
    await world.revoke(contract.id);
    expect(outcome(await issue(editor.http, { cluster }))).toBe('405 contract_revoked');
  });

  const endTrials = (ownerId: number) =>
    world.rows.execute(sql`update account_trial set ${over} where owner_id = ${ownerId}`);
  /** The cluster has reported with credentials of the account. */
  const reported = (ownerId: number, cluster: string) => world.rows.execute(sql`
    insert into cluster_contact (owner_id, cluster_uid, last_at) values (${ownerId}, ${cluster}::uuid, now())`);
  /** The account has imported the cluster with a kubeconfig: the import spoke with the cluster. */
  const connected = (ownerId: number, cluster: string) => world.rows.execute(sql`
    update imported_cluster set last_contact_at = now() where owner_id = ${ownerId} and uid = ${cluster}::uuid`);

  it.each<[string, (ownerId: number, cluster: string) => Promise<unknown>]>([
    ['reports', reported], ['was imported with a kubeconfig', connected],
  ])('does not depend on what strangers do, only on accounts whose cluster %s', async (_, show) => {
    const cluster = randomUUID();
    const importer = async () => {
      const someone = await world.person();
      await world.imported(someone.id, cluster);
      return someone;
    };
    const endOf = async ({ http }: Person) => read(ok(await issue(http, { cluster }, '')), cluster).notAfter;
    const [holder, stranger] = [await importer(), await importer()];
    await endOf(stranger);
    await endTrials(stranger.id);
    const contract = await world.contract(stranger.id, { products: ['productdb'] });
    await bind(admin, contract.id, [{ cluster }]);
    // Neither account has proved that it has the cluster, so neither counts against the other.
    const first = await endOf(holder);
    await show(holder.id, cluster);
    expect(await endOf(holder)).toEqual(first);
    // From now on, the holder counts against accounts that have not proved that they have the cluster.
    expect(await endOf(await importer())).toEqual(first);
    const another = await importer();
    await endTrials(holder.id);
    expect(outcome(await issue(another.http, { cluster }, ''))).toBe('405 no_active_contract');
    // The holder does not count against an account that has also proved it.
    await show(another.id, cluster);
    ok(await issue(another.http, { cluster }, ''));
  });

  it('is given for 20 clusters that the account has not shown, also of those asked for at once', async () => {
    const someone = await world.person();
    const clusters = Array.from({ length: 25 }, () => randomUUID() as string);
    for (const cluster of clusters) {
      await world.imported(someone.id, cluster);
      // Clusters that were removed again count too.
      await world.rows.execute(sql`update imported_cluster set removed = true where uid = ${cluster}::uuid`);
      await world.rows.execute(sql`
        insert into installer_cluster (owner_id, cluster_uid) values (${someone.id}, ${cluster}::uuid)`);
    }
    const outcomes = (await Promise.all(clusters.map((cluster) => issue(someone.http, { cluster }, '')))).map(outcome);
    expect(outcomes.filter((one) => one === '200')).toHaveLength(20);
    expect(outcomes.filter((one) => one === '405 no_active_contract')).toHaveLength(5);
    const shown = clusters[outcomes.indexOf('405 no_active_contract')]!;
    await reported(someone.id, shown);
    ok(await issue(someone.http, { cluster: shown }, ''));
  });
});

describe('a contract that binds clusters itself', () => {
  it('binds one that the account knows when it asks for a licence', async () => {
    const contract = await world.contract(acme.id, { products: ['productingress'] });
    ok(await admin.put(`/api/v1/contracts/${contract.id}`, { json: { autoAssignCluster: true } }));
    const cluster = randomUUID();
    const ask = () => issue(editor.http, { cluster, features: ['productingress'] });
    expect(outcome(await ask())).toBe('405 no_active_contract');
    await world.imported(acme.id, cluster);
    expect(ok<ShownLicence>(await ask()).contract.id).toBe(String(contract.id));
    const { clusters } = ok<ShownContract>(await admin.get(`/api/v1/contracts/${contract.id}`));
    expect(clusters.map((bound) => bound.cluster)).toEqual([cluster]);
    expect(await world.events(contract.id)).toContain(`${editor.username} cluster.added ${cluster}`);
    await world.revoke(contract.id);
  });
});

describe('an offline licence', () => {
  it.each([undefined, {}, 'ignored'])('is the same one for a repeat with its key, where the body %j is ignored', async (json) => {
    const { contract, cc } = await contractWith({ allowOffline: true });
    const headers = { 'idempotency-key': randomUUID() };
    const ask = () => offlineByAdmin(contract.id, cc, admin, json === undefined ? { headers } : { json, headers });
    const [first, again] = [await ask(), await ask()];
    expect([outcome(first), again.text, again.header('idempotent-replayed')]).toEqual(['200', first.text, 'true']);
  });

  it('lasts as long as the contract, for users and for site admins', async () => {
    const { contract, cluster, cc } = await contractWith({ allowOffline: true, end: inSeconds(400 * day) });
    for (const answer of [await offline(editor.http, contract.id, cc), await offlineByAdmin(contract.id, cc)]) {
      const shown = ok<ShownLicence>(answer);
      expect(shown.contract.id).toBe(String(contract.id));
      expect(seconds(read(shown, cluster).notAfter)).toBe(contract.end);
    }
  });

  it('is given only where the contract allows it', async () => {
    const { contract, cc } = await contractWith();
    expect(outcome(await offline(editor.http, contract.id, cc))).toBe('405 offline_not_allowed');
    expect(outcome(await offline(editor.http, contract.id, 999_999))).toBe('404 not_found');
    expect(outcome(await offline(editor.http, 999_999, cc))).toBe('404 not_found');
    expect(outcome(await offline(viewer.http, contract.id, cc))).toBe('403 forbidden');
    expect(outcome(await offlineByAdmin(999_999, cc))).toBe('404 not_found');
    expect(outcome(await offlineByAdmin(contract.id, cc, editor.http))).toBe('403 forbidden');
  });

  it('is not given for the contract of another account', async () => {
    const { contract, cc } = await contractWith({ allowOffline: true }, (await world.person()).id);
    expect(outcome(await offline(editor.http, contract.id, cc))).toBe('404 not_found');
  });
});

describe('a quota of clusters', () => {
  const quota = { enabled: true, limit: 2, disableLicenseOnLimitReached: true };
  const contractOf = async (given: object, count: number) => {
    const clusters = Array.from({ length: count }, () => ({ cluster: randomUUID() }));
    const { id } = await world.contract(acme.id, { quota: given });
    await bind(admin, id, clusters);
    return { id, clusters };
  };

  it('gives no licence to one more cluster, and says so once a month', async () => {
    const { id, clusters } = await contractOf(quota, 3);
    const answers = [];
    for (const cluster of [...clusters, ...clusters]) answers.push(await issue(editor.http, cluster));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 403, 200, 200, 403]);
    expect(outcome(answers[2]!)).toBe('403 quota_exceeded');
    const events = (await world.events(id)).filter((event) => event.endsWith('quota.limit_reached'));
    expect(events).toEqual([`${editor.username} quota.limit_reached`]);
    ok(await admin.put(`/api/v1/contracts/${id}`, { json: { quota: { limit: 3 } } }));
    expect((await issue(editor.http, clusters[2])).status).toBe(200);
  });

  it('stops nothing when it only warns', async () => {
    const { clusters } = await contractOf({ ...quota, limit: 1, disableLicenseOnLimitReached: false }, 2);
    for (const cluster of clusters) expect((await issue(editor.http, cluster)).status).toBe(200);
  });
});
