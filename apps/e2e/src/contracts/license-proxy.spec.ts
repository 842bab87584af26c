import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { type FieldLicence, type HttpAnswer, until, verifyInField } from '@platform/testing';
import { parse, parseAllDocuments } from 'yaml';
import { adminHttp } from '../admin-http.ts';
import { documentedFetch } from '../documented.ts';
import { narrowToken, type Organization, outcome, type Person } from '../orgs/world.ts';
import {
  bind, type ContractWorld, day, inSeconds, issue, ok, pemOf, type ShownLicence, startAcme, startContractWorld,
} from './contract-world.ts';

interface ShownInstaller {
  readonly flavor: string;
  readonly helm3: string;
  readonly yaml: string;
  readonly licenses?: readonly { contractID: number; clusterID: string }[];
}

const baseURL = 'https://platform.example.org';
const chart = `charts/it's "$(touch owned)"`;

let world: ContractWorld;
let owner: Person, editor: Person, viewer: Person, stranger: Person;
let acme: Organization, authority: string;

beforeAll(async () => {
  ({ world, owner, editor, viewer, stranger, acme } = await startAcme({
    settings: { 'http.baseURL': `${baseURL}/`, 'licenseProxy.chart': chart, 'licenseProxy.namespace': 'licences' },
  }));
  authority = await world.authority();
});
afterAll(async () => world[Symbol.asyncDispose]());

const create = (http: Person['http'], json?: unknown, query = '?org=acme', key?: string) =>
  http.post(`/api/v1/user/license-proxy${query}`, {
    ...(json === undefined ? {} : { json }), ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });

/** An active contract with offline licences and this many clusters. */
async function contractWith(count: number, given: object = {}, uid = acme.id) {
  const clusters = Array.from({ length: count }, () => randomUUID()).sort();
  const contract = await world.contract(uid, { allowOffline: true, ...given });
  if (count > 0) await bind(world.siteAdmin.http, contract.id, clusters.map((cluster) => ({ cluster })));
  return { ...contract, clusters: clusters as readonly string[] };
}

/** The values for the chart, which must be equal in both forms. */
function valuesOf({ helm3, yaml }: ShownInstaller): Record<string, Record<string, string>> {
  const byHelm = parse(/<<'VALUES'\n([^]*)\nVALUES\n$/.exec(helm3)![1]!) as Record<string, Record<string, string>>;
  const secret = parseAllDocuments(yaml)[1]!.toJS() as { stringData: Record<string, string> };
  expect(parse(secret.stringData['values.yaml']!)).toEqual(byHelm);
  return byHelm;
}

/** The token of an online installer. */
const tokenOf = (answer: HttpAnswer) => valuesOf(ok(answer))['platform']!['token']!;

/** The licences for the chart by key, as an installed verifier reads them. */
function licencesOf(installer: ShownInstaller): Record<string, FieldLicence> {
  return Object.fromEntries(Object.entries(valuesOf(installer)['encodedLicenses']!).map(([key, license]) =>
    [key, verifyInField(pemOf({ license }), authority, key.slice(-36), new Date())]));
}

/** Contract and cluster of each licence. */
const subjectsOf = (installer: ShownInstaller) =>
  installer.licenses!.map(({ contractID, clusterID }) => [contractID, clusterID]);
const tokens = () => world.database.query(sql<{ id: number }>`select id from access_token order by id`);
/** Maximum number of licences in one request. */
const mostOfInstaller = 200;
/** Number of signed licences. */
async function signatures(): Promise<number> {
  const [{ addresses }] = world.platform.services['contracts-licensing'].replicas;
  const { text } = await adminHttp(addresses['admin']!).get('/metrics');
  return Number(/^license_signatures_total(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1] ?? 0);
}
const licences = () => world.rows.query(sql<{ id: string }>`select id::text from licence order by id`);

describe('an online installer', () => {
  it.each([undefined, {}, { clusterID: '', contractIDs: [] }, { clusterID: null, contractIDs: null }])(
    'has a fresh token of the organization: %j', async (body) => {
      const installer = ok<ShownInstaller>(await create(owner.http, body));
      expect(Object.keys(installer)).toEqual(['flavor', 'helm3', 'yaml']);
      expect(installer.flavor).toBe('online');
      const { platform } = valuesOf(installer);
      expect(platform).toEqual({ baseURL, token: expect.stringMatching(/^[0-9a-f]{40}$/) });
      const { clusters: [cluster] } = await contractWith(1);
      expect((await issue(world.as(platform!['token']!), { cluster }, '')).status).toBe(200);
    },
  );

  it('has another token at each call', async () => {
    const ask = async () => tokenOf(await create(owner.http));
    expect(new Set([await ask(), await ask()]).size).toBe(2);
  });

  it('has one token, however often its request is repeated after a crash', async () => {
    const before = (await tokens()).length;
    const ask = async () => tokenOf(await create(world.siteAdmin.http, undefined, '?org=acme', 'crash'));
    const first = await ask();
    // The state that a crash leaves before an answer is stored.
    await world.rows.execute(sql`
      update kept_answer
         set claim = gen_random_uuid(), claimed_until = now(), refused = null, sealed_by = null, sealed_secret = null`);
    const second = await ask();
    expect([(await tokens()).length, second === first]).toEqual([before + 1, false]);
    const statusOf = async (token: string) => (await world.as(token).get('/api/v1/user/contracts')).status;
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
  });

  it('has a fresh token of the caller for their own account', async () => {
    const someone = await world.person();
    const token = tokenOf(await create(someone.http, undefined, ''));
    const { clusters: [cluster] } = await contractWith(1, {}, someone.id);
    expect((await issue(world.as(token), { cluster }, '')).status).toBe(200);
    const rows = await world.database.query(sql<{ name: string; days: number }>`
      select name, extract(day from expires_at - created_at)::integer as "days"
        from access_token where account_id = ${someone.id} order by id desc limit 1`);
    expect(rows).toEqual([{ name: expect.stringMatching(/^license-proxy \d{4}-\d\d-\d\dT[\d:]{8}Z$/), days: 3650 }]);
  });

  it('keeps special characters in settings unchanged', async () => {
    const { helm3, yaml } = ok<ShownInstaller>(await create(owner.http));
    expect(helm3).toContain(`'charts/it'\\''s "$(touch owned)"'`);
    const release = parseAllDocuments(yaml).at(-1)!.toJS() as { spec: { chart: { spec: { chart: string } } } };
    expect(release.spec.chart.spec.chart).toBe(chart.slice('charts/'.length));
  });

  it('needs its own permission, and no refused call leaves a token', async () => {
    const before = await tokens();
    for (const { http } of [editor, viewer]) expect(outcome(await create(http))).toBe('403 forbidden');
    expect(outcome(await create(stranger.http))).toBe('403 not_org_member');
    expect(outcome(await create(stranger.http, {}, '?org=nobody'))).toBe('404 not_found');
    expect(outcome(await create(world.nobody))).toBe('401 unauthenticated');
    expect(await tokens()).toEqual(before);
  });

  it('has a token that may do everything, so a narrow token gets none; it gets an offline installer', async () => {
    const narrow = world.as(await narrowToken(owner.http, 'write:contract', 'write:organization'));
    const before = await tokens();
    expect(outcome(await create(narrow))).toBe('403 missing_scope');
    expect(await tokens()).toEqual(before);
    const { clusters: [clusterID] } = await contractWith(1, { products: ['productdb'] });
    expect(outcome(await create(narrow, { clusterID }))).toBe('200');
  });
});

describe('an offline installer', () => {
  it('brings the licence of a cluster under each active contract with offline licences', async () => {
    const one = await contractWith(1, { products: ['productdb'], end: inSeconds(30 * day) });
    const [cluster] = one.clusters;
    const revoked = await contractWith(0, { products: ['productingress'] });
    const vault = await contractWith(0, { products: ['productvault'], end: inSeconds(9 * day) });
    for (const { id } of [vault, await contractWith(0, { allowOffline: false }), revoked]) {
      await bind(world.siteAdmin.http, id, [{ cluster }]);
    }
    await world.revoke(revoked.id);

    const before = await tokens();
    const installer = ok<ShownInstaller>(await create(editor.http, { clusterID: cluster!.toUpperCase() }));
    expect(await tokens()).toEqual(before);
    expect(installer.flavor).toBe('offline');
    expect(Object.keys(valuesOf(installer))).toEqual(['encodedLicenses']);
    const read = licencesOf(installer);
    const [ofDb, ofVault] = ['productdb', 'productvault'].map((product) => `${product}-enterprise-license-${cluster}`);
    expect(Object.keys(read).sort()).toEqual([ofDb, ofVault]);
    expect(installer.licenses).toEqual(Object.values(read).map(({ id, plan, notAfter }) => ({
      contractID: plan === 'productdb-enterprise' ? one.id : expect.any(Number), clusterID: cluster,
      licenseID: id, planName: plan, notAfter: notAfter.getTime() / 1000,
    })));
    expect(read[ofDb!]!.notAfter.getTime() / 1000).toBe(one.end);
    expect(await world.events(one.id)).toContain(`${editor.username} license.issued ${read[ofDb!]!.id}`);
  });

  it('records its licences together with the answer that is kept for a repeat', async () => {
    const { id } = await contractWith(1);
    const before = (await licences()).length;
    const ask = () => create(owner.http, { contractIDs: [id] }, '?org=acme', 'offline');
    await world.rows.execute(sql`
      create function lose_answers() returns trigger language plpgsql as 'begin raise exception using errcode = ''P0001''; end'`);
    await world.rows.execute(sql`
      create trigger lose_answers before update of refused on kept_answer for each row
      when (new.refused is not null) execute function lose_answers()`);
    try {
      expect(outcome(await ask())).toBe('500 internal');
    } finally {
      await world.rows.execute(sql`drop function lose_answers cascade`);
    }
    expect((await licences()).length).toBe(before);
    const [installer, again] = [ok(await ask()), await ask()];
    expect([ok(again), again.header('idempotent-replayed')]).toEqual([installer, 'true']);
    expect((await licences()).length).toBe(before + 1);
  });

  it('brings the licences of all clusters of the contracts named', async () => {
    const [one, two] = [await contractWith(2), await contractWith(1, { products: ['productdb'] })];
    const installer = ok<ShownInstaller>(await create(editor.http, { contractIDs: [two.id, one.id, one.id] }));
    const expected = [...one.clusters.map((cluster) => [one.id, cluster]), [two.id, two.clusters[0]]];
    expect(subjectsOf(installer).sort()).toEqual(expected.sort());
    expect(Object.keys(licencesOf(installer))).toHaveLength(3);
  });

  it('brings the licences of one cluster under the contracts named', async () => {
    const contract = await contractWith(2);
    const [cluster] = contract.clusters;
    const ask = (clusterID?: string) => create(editor.http, { clusterID, contractIDs: [contract.id] });
    expect(subjectsOf(ok(await ask(cluster)))).toEqual([[contract.id, cluster]]);
    expect(outcome(await ask(randomUUID()))).toBe('400 invalid_contract');
  });

  it('takes of two contracts of one plan the one that ends last', async () => {
    const [early, late] = [await contractWith(1), await contractWith(0, { end: inSeconds(2 * day) })];
    const [cluster] = early.clusters;
    await bind(world.siteAdmin.http, late.id, [{ cluster }]);
    for (const asked of [{ clusterID: cluster }, { contractIDs: [early.id, late.id] }]) {
      expect(subjectsOf(ok(await create(editor.http, asked)))).toEqual([[late.id, cluster]]);
    }
  });

  it('lets the account have a trial for its clusters', async () => {
    const someone = await world.person();
    const { id, clusters: [cluster] } = await contractWith(1, {}, someone.id);
    ok(await create(someone.http, { clusterID: cluster }, ''));
    await world.siteAdmin.http.delete(`/api/v1/contracts/${id}`);
    expect(ok<ShownLicence>(await issue(someone.http, { cluster }, '')).contract.id).toBe('0');
  });

  it('is refused whole', async () => {
    const fine = await contractWith(2);
    const onlineOnly = await contractWith(1, { allowOffline: false });
    const revoked = await contractWith(1);
    await world.revoke(revoked.id);
    const foreign = await contractWith(1, {}, owner.id);
    const quota = { enabled: true, metric: 'clusters', limit: 2, disableLicenseOnLimitReached: true };
    const full = await contractWith(3, { quota });
    const empty = await contractWith(0);
    const before = await licences();
    const cases: [object, string][] = [
      [{ clusterID: 'lab' }, '422 validation_failed'],
      [{ clusterID: 5 }, '422 validation_failed'],
      [{ contractIDs: ['x'] }, '422 validation_failed'],
      [{ contractIDs: Array.from({ length: 101 }, (_, index) => index + 1) }, '422 validation_failed'],
      [{ clusterID: randomUUID() }, '400 invalid_contract'],
      [{ clusterID: onlineOnly.clusters[0] }, '400 invalid_contract'],
      [{ clusterID: foreign.clusters[0] }, '400 invalid_contract'],
      [{ contractIDs: [fine.id, foreign.id] }, '400 invalid_contract'],
      [{ contractIDs: [fine.id, 999_999] }, '400 invalid_contract'],
      [{ contractIDs: [fine.id, 0] }, '400 invalid_contract'],
      [{ contractIDs: [fine.id, revoked.id] }, '400 invalid_contract'],
      [{ contractIDs: [fine.id, empty.id] }, '400 invalid_contract'],
      [{ contractIDs: [fine.id, onlineOnly.id] }, '403 offline_not_allowed'],
      [{ contractIDs: [fine.id, full.id] }, '403 quota_exceeded'],
    ];
    for (const [body, expected] of cases) expect([outcome(await create(editor.http, body)), body]).toEqual([expected, body]);
    expect(await licences()).toEqual(before);
    expect((await world.events(full.id)).filter((event) => event.endsWith('quota.limit_reached'))).toHaveLength(1);
  });

  it('stops with the connection that asked for it, so that another account gets its licence', async () => {
    const [someone, other] = [await world.person(), await world.person()];
    const { id } = await contractWith(mostOfInstaller, {}, someone.id);
    const { clusters: [cluster] } = await contractWith(1, {}, other.id);
    /** Two requests are admitted at the same time, and their clients disconnect after signing has begun. */
    const abandoned = async () => {
      const before = await signatures();
      const gone = new AbortController();
      const asked = Array.from({ length: 20 }, () => documentedFetch(`${world.platform.baseUrl}/api/v1/user/license-proxy`, {
        method: 'POST', signal: gone.signal, body: JSON.stringify({ contractIDs: [id] }),
        headers: { 'authorization': `token ${someone.token}`, 'content-type': 'application/json' },
      }).catch(() => undefined));
      await until(async () => await signatures() > before, { every: 5, what: 'licences are signed' });
      gone.abort();
      await Promise.all(asked);
      ok(await issue(other.http, { cluster }, ''));
      // Refused while both places are taken.
      await until(async () => (await create(someone.http, { contractIDs: [id] }, '')).status === 200, {
        within: 60_000, what: 'the account gets its installer',
      });
      return await signatures() - before - 1 - mostOfInstaller;
    };
    // On a busy machine, all licences may be signed before the clients disconnect.
    let most = 2 * mostOfInstaller;
    for (let tries = 0; tries < 3 && most >= 2 * mostOfInstaller; tries += 1) most = await abandoned();
    expect(most).toBeLessThan(2 * mostOfInstaller);
  }, 120_000);

  it('needs the permission to issue licences, before its body is judged', async () => {
    const { clusters: [cluster] } = await contractWith(1);
    expect(outcome(await create(viewer.http, { clusterID: cluster }))).toBe('403 forbidden');
    expect(outcome(await create(viewer.http, { clusterID: 'lab' }))).toBe('403 forbidden');
    expect(outcome(await create(stranger.http, { clusterID: cluster }))).toBe('403 not_org_member');
  });
});

it('is registered on hosted platforms only', async () => {
  await using other = await startContractWorld({ settings: { 'deployment.type': 'SelfHostedProduction' } });
  const answer = await other.nobody.post('/api/v1/user/license-proxy', { json: {} });
  expect([answer.status, answer.json()]).toEqual([404, { message: 'Not Found' }]);
});
