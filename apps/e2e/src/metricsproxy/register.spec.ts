import { KeyObject, webcrypto } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { until } from '@platform/testing';
import * as x509 from '@platform/tls/x509';
import { specCall } from '../operator.ts';
import { narrowToken, outcome } from '../orgs/world.ts';
import {
  backend, bearer, type ClusterOwner, type MetricsWorld, ok, publicUrl, queryOf, register, registerB, type Registered,
  startMetricsWorld, unregister, unregisterB,
} from './metrics-world.ts';

let world: MetricsWorld;
let acme: ClusterOwner;

beforeAll(async () => {
  world = await startMetricsWorld();
  acme = await world.owner();
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

const rowsOf = (identity: string) => world.rows.query(sql<{ flavor: string; present: boolean; settled: boolean }>`
  select flavor, present, settled from backend where identity = ${identity} order by flavor`);
const datasource = (identity: string) => [...world.grafana.datasources.values()].find(({ name }) => name === identity);
const hook = (identity: string, token: string) =>
  world.nobody.get(`/api/v1/metricsproxy/auth/${identity}/api/v1/query`, bearer(token));
const hooks = (identity: string, ...tokens: readonly string[]) =>
  Promise.all(tokens.map((token) => hook(identity, token).then(outcome)));
const [good, refused] = ['200', '401 unauthenticated'];
/** The token in the datasource of the dashboard. */
const tokenOf = (identity: string) => datasource(identity)!.secureJsonData.httpHeaderValue1.replace('Bearer ', '');

describe('flavor A', () => {
  it('register makes a folder for the owner and a datasource for the identity', async () => {
    const { organization, cluster, identity, post } = await world.owner();
    const answer = await post(register, { clusterUID: cluster.uid.toUpperCase() });
    const folder = world.grafana.folders.get(`org-${organization.id}`)!;
    expect(ok(answer)).toEqual({
      flavora: { url: 'https://a.example.org', dashboard: { datasource: identity, folderID: folder.id } },
      folderID: folder.id, datasource: identity,
    });
    expect(folder.title).toBe(organization.username);
    expect(datasource(identity)).toMatchObject({
      uid: expect.stringMatching(/^mp-[0-9a-f]{32}$/), name: identity, url: `${publicUrl}/${identity}/`,
      type: 'prometheus', access: 'proxy',
    });
  });

  it('a repeat updates the one backend and the one datasource, and keeps its token', async () => {
    const { identity, post } = await world.owner();
    ok(await post(register));
    const before = datasource(identity)!.secureJsonData;
    ok(await post(register, { backend: { service: { name: 'prometheus', namespace: 'monitoring', port: '9090' } } }));
    expect(await rowsOf(identity)).toEqual([{ flavor: 'flavora', present: true, settled: true }]);
    expect([...world.grafana.datasources.values()].filter(({ name }) => name === identity)).toHaveLength(1);
    expect(datasource(identity)!.secureJsonData).toEqual(before);
  });

  it('twenty registrations at once are all 200, with one result and one good token', async () => {
    const { identity, post } = await world.owner();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) =>
      post(register, { backend: { url: `http://127.0.0.1:9/${index}` }, issueToken: true })));
    expect(answers.map(outcome)).toEqual(Array.from({ length: 20 }, () => '200'));
    expect(await rowsOf(identity)).toEqual([{ flavor: 'flavora', present: true, settled: true }]);
    expect([...world.grafana.datasources.values()].filter(({ name }) => name === identity)).toHaveLength(1);
    const issued = answers.map((answer) => answer.json<Registered>().flavora.bearerToken);
    expect((await hooks(identity, ...issued)).filter((one) => one === good)).toHaveLength(1);
  });

  it('the folder of a former organization with this name does not stand in the way', async () => {
    const { organization, post } = await world.owner();
    const former = { id: 1_000_000, uid: 'org-1', title: organization.username };
    world.grafana.folders.set(former.uid, former);
    const send = async () => {
      ok(await post(register));
      return world.grafana.folders.get(`org-${organization.id}`)!.title;
    };
    expect(await send()).toBe(`${organization.username} (org-${organization.id})`);
    expect(await send()).toBe(`${organization.username} (org-${organization.id})`);
    world.grafana.folders.delete(former.uid);
    expect(await send()).toBe(organization.username);
  });

  it.each([
    [204, '502 bad_upstream'], ['list', '502 bad_upstream'], ['nonsense', '502 bad_upstream'], [409, '502 bad_upstream'],
    [403, '502 bad_upstream'], [500, '502 bad_upstream'], [429, '503 unavailable'], ['cut', '503 unavailable'],
  ] as const)('a dashboard that answers %j: nothing is left, and the next registration succeeds', async (trouble, expected) => {
    const { identity, post } = await world.owner();
    {
      using _ = world.grafana.trouble(trouble, { about: [identity] });
      expect(outcome(await post(register))).toBe(expected);
    }
    await until(async () => (await rowsOf(identity)).length === 0, { within: 45_000, what: 'it is undone' });
    expect(datasource(identity)).toBeUndefined();
    expect(outcome(await post(register))).toBe('200');
  });

  it('issues no token to a narrow one, which may register', async () => {
    const { boss, cluster, identity } = await world.owner();
    const narrow = world.as(await narrowToken(boss.http, 'write:cluster', 'write:metrics'));
    const json = { backend, clusterUID: cluster.uid };
    expect(outcome(await narrow.post(register, { json: { ...json, issueToken: true } }))).toBe('403 missing_scope');
    expect([await rowsOf(identity), outcome(await narrow.post(register, { json }))]).toEqual([[], '200']);
  });

  it('unregister ends the tokens at once, also while the dashboard hangs or another registration runs', async () => {
    const { identity, post, issueToken } = await world.owner();
    const former = [await issueToken(), tokenOf(identity)];
    const outcomes = (...tokens: readonly string[]) => Promise.all(tokens.flatMap((token) => [
      hook(identity, token).then(outcome), world.queries[0].get(queryOf(identity), bearer(token)).then(outcome),
    ]));
    const [fine, ended] = [['200', '502 bad_upstream'], ['401 unauthenticated', '401 unauthenticated']];
    const isPresent = async () => (await rowsOf(identity))[0]?.present;
    const held = world.grafana.trouble('hold', { about: [identity] });
    const first = post(register);
    await until(() => held.met === 1, { within: 20_000, what: 'a registration hangs at the dashboard' });
    expect(await outcomes(...former)).toEqual([...fine, ...fine]);
    const removal = post(unregister, { backend: undefined });
    await until(async () => !(await isPresent()), { within: 20_000, what: 'the removal is stored' });
    expect(await outcomes(...former)).toEqual([...ended, ...ended]);
    const second = issueToken();
    await until(isPresent, { within: 20_000, what: 'the backend is stored again' });
    expect(await outcomes(...former)).toEqual([...ended, ...ended]);
    held[Symbol.dispose]();
    expect([outcome(await first), outcome(await removal)]).toEqual(['200', '200']);
    expect(await outcomes(await second, tokenOf(identity), ...former)).toEqual([...fine, ...fine, ...ended, ...ended]);
    expect(await rowsOf(identity)).toEqual([{ flavor: 'flavora', present: true, settled: true }]);
  });

  it('a project is a part of the identity, unless default is true', async () => {
    const { identity, post } = await world.owner();
    const name = async (more: object) =>
      ok<{ datasource: string }>(await post(register, { hubUID: 'hub', ...more })).datasource;
    expect(await name({ projectId: 'Prod-1' })).toBe(`${identity}.Prod-1`);
    expect(await name({ projectId: 'Prod-1', default: true })).toBe(identity);
    expect(await name({ projectId: '' })).toBe(identity);
    expect(await world.rows.one(sql`select hub_uid as "hubUid" from backend where identity = ${identity}`))
      .toEqual({ hubUid: 'hub' });
  });

  it('unregister removes backend, datasource and tokens; again: 200', async () => {
    const { identity, post, issueToken } = await world.owner();
    const tokens = [await issueToken(), tokenOf(identity)];
    expect(await hooks(identity, ...tokens)).toEqual([good, good]);
    const unregistering = () => post(unregister, { backend: undefined });
    const answer = await unregistering();
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await rowsOf(identity)).toEqual([]);
    expect(datasource(identity)).toBeUndefined();
    expect([await hooks(identity, ...tokens), outcome(await unregistering())]).toEqual([[refused, refused], '200']);
  });
});

describe('issued tokens', () => {
  it('are good on the hook of their identity and for nothing else, and are listed', async () => {
    const { boss, organization, cluster, identity, issueToken } = await world.owner();
    const other = await world.cluster(organization.id);
    const token = await issueToken();
    expect(token).toMatch(/^[0-9a-f]{40}$/);
    expect(outcome(await hook(identity, token))).toBe('200');
    expect(outcome(await hook(identity.toUpperCase(), token))).toBe('200');
    expect(outcome(await hook(`${organization.id}.${other.uid}`, token))).toBe('401 unauthenticated');
    expect(outcome(await hook(`${identity}.prod`, token))).toBe('401 unauthenticated');
    const http = world.as(token);
    for (const path of ['/api/v1/user', `/api/v1/orgs/${organization.username}`, '/api/v1/user/orgs']) {
      expect(outcome(await http.get(path))).toMatch(/^(?:401 unauthenticated|404 )/);
    }
    expect(outcome(await http.post(register, { json: { backend, clusterUID: cluster.uid } }))).toBe('401 unauthenticated');
    const listed = ok<{ name: string; tokenLastEight?: string }[]>(
      await boss.http.get(`/api/v1/orgs/${organization.username}/tokens/access-tokens`),
    );
    expect(listed.map(({ name }) => name)).toEqual(Array(2).fill(expect.stringContaining(`metrics of ${identity}`)));
    expect(await hooks(identity, token, await issueToken())).toEqual([refused, good]);
  });

  it('are of each flavor: the other flavor keeps its own', async () => {
    const { identity, post, issueToken } = await world.owner();
    const a = await issueToken();
    const answer = await post(registerB, { issueToken: true });
    const { flavorb: { bearerToken: b } } = ok<{ flavorb: { bearerToken: string } }>(answer);
    expect(outcome(await post(unregister, { backend: undefined }))).toBe('200');
    expect(await hooks(identity, a, b)).toEqual([refused, good]);
  });
});

describe('flavor B', () => {
  it('register makes a project, a folder, a secret and a datasource, in lower case', async () => {
    const boss = await world.person();
    const organization = await world.organization(boss, { username: 'Metrics-B' });
    const cluster = await world.cluster(organization.id);
    const json = { backend, clusterUID: cluster.uid, projectId: 'Prod' };
    const name = `${organization.id}.${cluster.uid}.prod`;
    const place = { projectName: 'metrics-b', folderName: 'default', datasource: name };
    expect(ok(await boss.http.post(registerB, { json }))).toEqual({
      flavorb: { url: world.perses.url, dashboard: place }, ...place,
    });
    const at = '/api/v1/projects/metrics-b';
    expect([...world.perses.resources.keys()].filter((path) => path.startsWith(at)).sort()).toEqual([
      at, `${at}/datasources/${name}`, `${at}/folders/default`, `${at}/secrets/${name}`,
    ].sort());
    world.perses.forgetSessions();
    ok(await boss.http.post(registerB, { json }));
    const again = { ...json, projectId: 'PROD' };
    expect(outcome(await boss.http.post(registerB, { json: again }))).toBe('409 already_exists');
    expect(outcome(await boss.http.post(unregisterB, { json }))).toBe('200');
    expect([...world.perses.resources.keys()].filter((path) => path.includes(cluster.uid))).toEqual([]);
  });

  it('an identity of more than 75 characters is 400', async () => {
    const { post } = await world.owner();
    const project = { projectId: 'p'.repeat(63) };
    expect(outcome(await post(registerB, project))).toBe('400 invalid_value');
    expect(outcome(await post(register, project))).toBe('200');
  });
});

describe('who may register', () => {
  it('an admin of the owner; not a viewer, not a stranger', async () => {
    const { boss, organization, cluster } = await world.owner();
    const [viewer, stranger] = [await world.person(), await world.person()];
    await world.join(boss, organization.teams.Viewers, viewer);
    const json = { backend, clusterUID: cluster.uid };
    for (const path of [register, registerB, unregister, unregisterB]) {
      expect(outcome(await viewer.http.post(path, { json }))).toBe('403 forbidden');
      expect(outcome(await stranger.http.post(path, { json }))).toBe('403 not_org_member');
      expect(outcome(await world.nobody.post(path, { json }))).toBe('401 unauthenticated');
      expect(outcome(await world.siteAdmin.http.post(path, { json }))).toBe('200');
    }
  });

  it('an unknown cluster is 404, one of another organization 403', async () => {
    const other = await world.owner();
    for (const path of [register, registerB, unregister, unregisterB]) {
      const send = async (clusterUID: string, org = '') => outcome(await acme.post(path + org, { clusterUID }));
      const own = `?org=${acme.organization.username}`;
      const unknown = '00000000-0000-4000-8000-000000000000';
      expect([await send(unknown), await send(unknown, own)]).toEqual(['404 not_found', '404 not_found']);
      expect(await send(other.cluster.uid)).toBe('403 not_org_member');
      expect(await send(other.cluster.uid, own)).toBe('403 forbidden');
      expect(await send(acme.cluster.uid, '?org=')).toBe('200');
      expect(await send(acme.cluster.uid, '?org=no-such-org')).toBe('404 not_found');
      expect(await send('no-uid')).toBe('400 invalid_value');
    }
  });

  it('a cluster that several accounts have imported is that of the caller; the site admin must name the owner', async () => {
    const [one, two] = [await world.owner(), await world.owner()];
    await world.cluster(two.organization.id, one.cluster.uid);
    const json = { backend, clusterUID: one.cluster.uid };
    const named = async (http: ClusterOwner['boss']['http'], org = '') =>
      ok<{ datasource: string }>(await http.post(`${register}${org}`, { json })).datasource;
    expect(await named(one.boss.http)).toBe(one.identity);
    expect(await named(two.boss.http)).toBe(`${two.organization.id}.${one.cluster.uid}`);
    expect(outcome(await world.siteAdmin.http.post(register, { json }))).toBe('400 missing_org');
    expect(await named(world.siteAdmin.http, `?org=${one.organization.username}`)).toBe(one.identity);
  });

  it('without clusterUID the cluster of the token counts, else 400', async () => {
    const { organization, cluster, identity } = await world.owner();
    const { token } = await world.operator.admin.createToken({
      user: '', organization: organization.username, name: 'agent', expiresInSeconds: 0, clusterUid: cluster.uid,
    }, specCall());
    expect(ok<{ datasource: string }>(await world.as(token).post(register, { json: { backend } })).datasource).toBe(identity);
    for (const path of [register, `${register}?org=${acme.organization.username}`, unregister]) {
      const json = path === unregister ? {} : { backend };
      expect([path, outcome(await acme.boss.http.post(path, { json }))]).toEqual([path, '400 invalid_value']);
    }
  });

  it('a user registers their own cluster: the folder has the login, the token is the user\'s', async () => {
    const user = await world.person();
    const cluster = await world.cluster(user.id);
    const identity = `${user.id}.${cluster.uid}`;
    const json = { backend, clusterUID: cluster.uid, issueToken: true };
    const { flavora } = ok<Registered>(await user.http.post(register, { json }));
    expect(world.grafana.folders.get(`org-${user.id}`)!.title).toBe(user.username);
    expect(outcome(await hook(identity, flavora.bearerToken))).toBe('200');
    expect(outcome(await acme.boss.http.post(register, { json }))).toMatch(/^403 /);
  });

  it('clientOrgID is a client organization with the cluster, else 400', async () => {
    const [hub, client, plain] = [await world.owner(), await world.owner(), await world.owner()];
    await world.database.execute(sql`update organization set org_type = 2 where id = ${client.organization.id}`);
    const { uid } = hub.cluster;
    const send = (clientOrgID: string, org = '') => hub.post(register + org, { clientOrgID, issueToken: true });
    const ofHub = `?org=${hub.organization.username}`;
    const id = String(client.organization.id);
    // The client organization does not have this cluster yet.
    expect(outcome(await send(id))).toBe('400 invalid_value');
    await world.cluster(client.organization.id, uid);
    // The caller does not manage the backends of the hub's organization.
    expect(outcome(await send(id))).toBe('400 invalid_value');
    await world.join(client.boss, client.organization.teams.Owners, hub.boss);
    const { datasource: name, flavora } = ok<Registered>(await send(id, ofHub));
    expect(name).toBe(`${id}.${uid}`);
    expect(ok(await hook(name, flavora.bearerToken))).toEqual({
      owner: client.organization.username, clusterName: expect.any(String), tenantID: `platform.user.${id}`, clientOrg: 'true',
    });
    await world.cluster(plain.organization.id, uid);
    await world.join(plain.boss, plain.organization.teams.Owners, hub.boss);
    const wrong = [String(plain.organization.id), '0', 'x', '-1', '1.5', '999999', String(hub.boss.id)];
    for (const one of wrong) {
      expect(outcome(await hub.post(register + ofHub, { clientOrgID: one }))).toBe('400 invalid_value');
    }
  });
});

describe('bodies', () => {
  const send = async (more: object) => outcome(await acme.post(register, more));

  it('a missing backend, or one with neither url nor service, is 422', async () => {
    for (const given of [
      {}, { backend: null }, { backend: {} }, { backend: { url: '' } }, { backend: { service: {} } },
      { backend: { service: { name: '', port: '' }, tls: { ca: '' } } }, { backend: { url: 5 } }, { backend: [] },
      { backend: { url: 'http://x', tls: { insecureSkipTLSVerify: 'yes' } } },
    ]) expect(await send({ backend: undefined, ...given })).toMatch(/^422 /);
    const broken = { body: '{', headers: { 'content-type': 'application/json' } };
    expect(outcome(await acme.boss.http.post(register, broken))).toBe('422 malformed_body');
  });

  it.each([
    'ftp://example.org', 'file:///etc/passwd', 'example.org', '//example.org', 'http://', 'javascript:alert(1)',
    'http://user@example.org', 'http://user:password@example.org', 'unix:/var/run/docker.sock',
    'http://169.254.169.254/', 'http://[::1]:9090', 'http://[fe80::1]', 'http://0.0.0.0', 'http://224.0.0.1',
    'http://10.9.1.1', 'http://[::ffff:10.9.0.1]', 'http://[::]', 'http://[ff02::1]', 'http://[64:ff9b::a9fe:a9fe]',
    'http://[2002:0a09:0001::]', 'http://localhost.example.org\n', 'http://255.255.255.255',
  ])('the URL %j is 400', async (url) => {
    expect(await send({ backend: { url } })).toBe('400 invalid_value');
  });

  it.each([
    ['service', { name: 'Bad_Name', namespace: 'x' }], ['service', { name: 'a', namespace: '' }],
    ['service', { name: 'a', namespace: 'b', scheme: 'ftp' }], ['service', { name: 'a', namespace: 'b', port: '0' }],
    ['service', { name: 'a', namespace: 'b', port: '65536' }], ['service', { name: 'a', namespace: 'b', path: 'x' }],
    ['tls', { ca: 'no pem' }], ['tls', { cert: 'x' }], ['tls', { key: 'x' }], ['tls', { cert: 'x', key: 'y' }],
    ['tls', { serverName: 'a b' }], ['basicAuth', { username: 'a:b', password: 'c' }],
    ['basicAuth', { username: 'a\nb', password: 'c' }], ['bearerToken', 'a\r\nX: y'], ['bearerToken', 'ä'],
  ])('an unacceptable %s is 400: %j', async (member, value) => {
    const url = member === 'service' ? {} : { url: 'https://example.org' };
    expect(await send({ backend: { ...url, [member]: value } })).toBe('400 invalid_value');
  });

  it('names the certificate or the key that is malformed', async () => {
    const [{ cert, key }, other] = [await selfSigned(), await selfSigned()];
    const paths = async (tls: object) =>
      (await acme.post(register, { backend: { url: 'https://example.org', tls } }))
        .json<{ errors: { path: string }[] }>().errors.map(({ path }) => path);
    expect(await paths({ cert, key: 'no pem' })).toEqual(['backend.tls.key']);
    expect(await paths({ cert: 'no pem', key })).toEqual(['backend.tls.cert']);
    expect(await paths({ cert, key: other.key })).toEqual(['backend.tls.cert']);
  });

  it.each(['-a', 'a_b', 'a.b', 'a'.repeat(64), 'ä', 'a b', 'a/b'])('the project %j is 400', async (projectId) => {
    expect(await send({ projectId })).toBe('400 invalid_value');
  });

  it.each([
    { url: 'https://prometheus.example.org/prefix?x=1' }, { url: 'http://no-such-name.invalid' },
    { service: { name: 'prometheus', namespace: 'monitoring' } }, { url: 'http://10.1.2.3:9090' },
    { url: 'https://example.org', service: { name: 'BAD NAME' }, basicAuth: { username: '', password: '' } },
    { url: 'https://example.org', bearerToken: 'x', tls: { serverName: 'prometheus', insecureSkipTLSVerify: true } },
  ])('is accepted: %j', async (given) => {
    expect(await send({ backend: given })).toBe('200');
  });

  it('secrets of a backend are stored sealed and are in no answer', async () => {
    const { identity, post } = await world.owner();
    const secrets = { basicAuth: { username: 'prom', password: 'hush-hush-password' } };
    expect((await post(register, { backend: { url: 'https://example.org', ...secrets } })).text).not.toContain('hush');
    const row = await world.rows.one(sql<{ text: string }>`
      select backend::text as "text" from backend where identity = ${identity}`);
    expect(row.text).not.toContain(Buffer.from('hush-hush').toString('hex'));
    expect(row.text).not.toContain('hush');
  });
});

async function selfSigned(): Promise<{ cert: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const made = await x509.X509CertificateGenerator.createSelfSigned({ name: 'CN=spec', keys });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }) as string;
  return { cert: made.toString('pem'), key };
}

/** Answers to a token whose cluster is gone, before and after the token is deleted. */
const goneForToken = ['404 not_found', '401 unauthenticated'];

it('a cluster that moves to another account takes backends, datasources and tokens along', async () => {
  const [{ cluster, identity, post, issueToken }, other] = [await world.owner(), await world.owner()];
  const token = await issueToken();
  await world.moveCluster(cluster, other.organization.id);
  expect(goneForToken).toContain(outcome(await hook(identity, token)));
  expect(outcome(await post(register, { issueToken: true }))).toBe('403 not_org_member');
  await until(async () => (await rowsOf(identity)).length === 0, { within: 45_000, what: 'the backend is gone' });
  expect(datasource(identity)).toBeUndefined();
  ok(await other.post(register, { clusterUID: cluster.uid, issueToken: true }));
});

it('a removed cluster takes backends, datasources and tokens along', async () => {
  const { cluster, identity, post, issueToken } = await world.owner();
  const token = await issueToken();
  ok(await post(registerB, { issueToken: true }));
  await world.removeCluster(cluster);
  expect(goneForToken).toContain(outcome(await hook(identity, token)));
  await until(async () => (await rowsOf(identity)).length === 0, { within: 45_000, what: 'the backends are gone' });
  expect(datasource(identity)).toBeUndefined();
  expect([...world.perses.resources.keys()].filter((path) => path.includes(cluster.uid))).toEqual([]);
  const tokens = await world.database.query(sql`select from access_token where scope like ${`%${cluster.uid}`}`);
  expect(tokens).toEqual([]);
});
