import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { until } from '@platform/testing';
import { specCall } from '../operator.ts';
import { narrowToken, outcome } from '../orgs/world.ts';
import {
  backend, bearer, type ClusterOwner, type MetricsWorld, ok, publicUrl, queryOf, register, registerB, startMetricsWorld,
  unregister, unregisterB,
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
const datasource = (identity: string) =>
  [...world.grafana.datasources.values()].find(({ name }) => name === identity);
const hook = (identity: string, token: string) =>
  world.nobody.get(`/api/v1/metricsproxy/auth/${identity}/api/v1/query`, { headers: { authorization: `Bearer ${token}` } });

describe('flavor A', () => {
  it('register makes a folder for the owner and a datasource for the identity', async () => {
    const { boss, organization, cluster, identity } = await world.owner();
    const answer = await boss.http.post(register, { json: { backend, clusterUID: cluster.uid.toUpperCase() } });
    const folder = world.grafana.folders.get(`org-${organization.id}`)!;
    expect(ok(answer)).toEqual({
      flavora: { url: 'https://a.example.org', dashboard: { datasource: identity, folderID: folder.id } },
      folderID: folder.id,
      datasource: identity,
    });
    expect(folder.title).toBe(organization.username);
    expect(datasource(identity)).toMatchObject({
      uid: expect.stringMatching(/^mp-[0-9a-f]{32}$/), name: identity, url: `${publicUrl}/${identity}/`,
      type: 'prometheus', access: 'proxy',
    });
  });

  it('a repeat updates the one backend and the one datasource, and keeps its token', async () => {
    const { boss, cluster, identity } = await world.owner();
    const send = (json: object) => boss.http.post(register, { json: { clusterUID: cluster.uid, ...json } });
    ok(await send({ backend }));
    const before = datasource(identity)!.secureJsonData;
    ok(await send({ backend: { service: { name: 'prometheus', namespace: 'monitoring', port: '9090' } } }));
    expect(await rowsOf(identity)).toEqual([{ flavor: 'flavora', present: true, settled: true }]);
    expect([...world.grafana.datasources.values()].filter(({ name }) => name === identity)).toHaveLength(1);
    expect(datasource(identity)!.secureJsonData).toEqual(before);
  });

  it('twenty registrations at once are all 200, with one result and one good token', async () => {
    const { boss, cluster, identity } = await world.owner();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => boss.http.post(register, {
      json: { backend: { url: `http://127.0.0.1:9/${index}` }, clusterUID: cluster.uid, issueToken: true },
    })));
    expect(answers.map(outcome)).toEqual(Array.from({ length: 20 }, () => '200'));
    expect(await rowsOf(identity)).toEqual([{ flavor: 'flavora', present: true, settled: true }]);
    expect([...world.grafana.datasources.values()].filter(({ name }) => name === identity)).toHaveLength(1);
    const issued = answers.map((answer) => answer.json<{ flavora: { bearerToken: string } }>().flavora.bearerToken);
    const good = await Promise.all(issued.map(async (token) => outcome(await hook(identity, token))));
    expect(good.filter((one) => one === '200')).toHaveLength(1);
  });

  it('the folder of a former organization with this name does not stand in the way', async () => {
    const { boss, organization, cluster } = await world.owner();
    const former = { id: 1_000_000, uid: 'org-1', title: organization.username };
    world.grafana.folders.set(former.uid, former);
    const send = async () => {
      ok(await boss.http.post(register, { json: { backend, clusterUID: cluster.uid } }));
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
    const { boss, cluster, identity } = await world.owner();
    const json = { backend, clusterUID: cluster.uid };
    {
      using _ = world.grafana.trouble(trouble, { about: [identity] });
      expect(outcome(await boss.http.post(register, { json }))).toBe(expected);
    }
    await until(async () => (await rowsOf(identity)).length === 0, { within: 45_000, what: 'it is undone' });
    expect(datasource(identity)).toBeUndefined();
    expect(outcome(await boss.http.post(register, { json }))).toBe('200');
  });

  it('issues no token to a narrow one, which may register', async () => {
    const { boss, cluster, identity } = await world.owner();
    const narrow = world.as(await narrowToken(boss.http, 'write:cluster', 'write:metrics'));
    const json = { backend, clusterUID: cluster.uid };
    expect(outcome(await narrow.post(register, { json: { ...json, issueToken: true } }))).toBe('403 missing_scope');
    expect(await rowsOf(identity)).toEqual([]);
    expect(outcome(await narrow.post(register, { json }))).toBe('200');
  });

  it('unregister ends the tokens at once, also while the dashboard hangs or another registration runs', async () => {
    const { boss, cluster, identity } = await world.owner();
    const json = { backend, clusterUID: cluster.uid };
    const issue = async () => {
      const answer = await boss.http.post(register, { json: { ...json, issueToken: true } });
      return ok<{ flavora: { bearerToken: string } }>(answer).flavora.bearerToken;
    };
    const ofDatasource = () => datasource(identity)!.secureJsonData.httpHeaderValue1.replace('Bearer ', '');
    const former = [await issue(), ofDatasource()];
    const outcomes = async (tokens: readonly string[]) => Promise.all(tokens.flatMap((token) => [
      hook(identity, token).then(outcome), world.queries[0].get(queryOf(identity), bearer(token)).then(outcome),
    ]));
    const [good, refused] = [['200', '502 bad_upstream'], ['401 unauthenticated', '401 unauthenticated']];
    const isPresent = async () => (await rowsOf(identity))[0]?.present;

    const held = world.grafana.trouble('hold', { about: [identity] });
    const first = boss.http.post(register, { json });
    await until(() => held.met === 1, { within: 20_000, what: 'a registration hangs at the dashboard' });
    expect(await outcomes(former)).toEqual([...good, ...good]);
    const removal = boss.http.post(unregister, { json: { clusterUID: cluster.uid } });
    await until(async () => !(await isPresent()), { within: 20_000, what: 'the removal is stored' });
    expect(await outcomes(former)).toEqual([...refused, ...refused]);
    const second = issue();
    await until(isPresent, { within: 20_000, what: 'the backend is stored again' });
    expect(await outcomes(former)).toEqual([...refused, ...refused]);

    held[Symbol.dispose]();
    expect([outcome(await first), outcome(await removal)]).toEqual(['200', '200']);
    expect(await outcomes([await second, ofDatasource(), ...former])).toEqual([...good, ...good, ...refused, ...refused]);
    expect(await rowsOf(identity)).toEqual([{ flavor: 'flavora', present: true, settled: true }]);
  });

  it('a project is a part of the identity, unless default is true', async () => {
    const { boss, cluster, identity } = await world.owner();
    const name = async (json: object) =>
      ok<{ datasource: string }>(await boss.http.post(register, {
        json: { backend, clusterUID: cluster.uid, hubUID: 'hub', ...json },
      })).datasource;
    expect(await name({ projectId: 'Prod-1' })).toBe(`${identity}.Prod-1`);
    expect(await name({ projectId: 'Prod-1', default: true })).toBe(identity);
    expect(await name({ projectId: '' })).toBe(identity);
    expect(await world.rows.one(sql`select hub_uid as "hubUid" from backend where identity = ${identity}`))
      .toEqual({ hubUid: 'hub' });
  });

  it('unregister removes backend, datasource and tokens; again: 200', async () => {
    const { boss, cluster, identity } = await world.owner();
    const json = { clusterUID: cluster.uid };
    const { flavora: { bearerToken } } = ok<{ flavora: { bearerToken: string } }>(
      await boss.http.post(register, { json: { backend, ...json, issueToken: true } }),
    );
    const ofDatasource = datasource(identity)!.secureJsonData.httpHeaderValue1.replace('Bearer ', '');
    expect([outcome(await hook(identity, bearerToken)), outcome(await hook(identity, ofDatasource))]).toEqual(['200', '200']);
    const answer = await boss.http.post(unregister, { json });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await rowsOf(identity)).toEqual([]);
    expect(datasource(identity)).toBeUndefined();
    expect([outcome(await hook(identity, bearerToken)), outcome(await hook(identity, ofDatasource))])
      .toEqual(['401 unauthenticated', '401 unauthenticated']);
    expect(outcome(await boss.http.post(unregister, { json }))).toBe('200');
  });
});

describe('issued tokens', () => {
  it('are good on the hook of their identity and for nothing else, and are listed', async () => {
    const { boss, organization, cluster, identity } = await world.owner();
    const other = await world.cluster(organization.id);
    const issue = async () => ok<{ flavora: { bearerToken: string } }>(await boss.http.post(register, {
      json: { backend, clusterUID: cluster.uid, issueToken: true },
    })).flavora.bearerToken;
    const token = await issue();
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
    expect(listed.map(({ name }) => name)).toEqual([
      expect.stringContaining(`metrics of ${identity}`), expect.stringContaining(`metrics of ${identity}`),
    ]);
    const second = await issue();
    expect([outcome(await hook(identity, token)), outcome(await hook(identity, second))])
      .toEqual(['401 unauthenticated', '200']);
  });

  it('are of each flavor: the other flavor keeps its own', async () => {
    const { boss, cluster, identity } = await world.owner();
    const json = { backend, clusterUID: cluster.uid, issueToken: true };
    const a = ok<{ flavora: { bearerToken: string } }>(await boss.http.post(register, { json })).flavora.bearerToken;
    const b = ok<{ flavorb: { bearerToken: string } }>(await boss.http.post(registerB, { json })).flavorb.bearerToken;
    expect(outcome(await boss.http.post(unregister, { json: { clusterUID: cluster.uid } }))).toBe('200');
    expect([outcome(await hook(identity, a)), outcome(await hook(identity, b))]).toEqual(['401 unauthenticated', '200']);
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
    const { boss, cluster } = await world.owner();
    const json = { backend, clusterUID: cluster.uid, projectId: 'p'.repeat(63) };
    expect(outcome(await boss.http.post(registerB, { json }))).toBe('400 invalid_value');
    expect(outcome(await boss.http.post(register, { json }))).toBe('200');
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
      const send = (clusterUID: string, org = '') => acme.boss.http.post(`${path}${org}`, { json: { backend, clusterUID } });
      const own = `?org=${acme.organization.username}`;
      const unknown = '00000000-0000-4000-8000-000000000000';
      expect(outcome(await send(unknown))).toBe('404 not_found');
      expect(outcome(await send(unknown, own))).toBe('404 not_found');
      expect(outcome(await send(other.cluster.uid))).toBe('403 not_org_member');
      expect(outcome(await send(other.cluster.uid, own))).toBe('403 forbidden');
      expect(outcome(await send(acme.cluster.uid, '?org='))).toBe('200');
      expect(outcome(await send(acme.cluster.uid, '?org=no-such-org'))).toBe('404 not_found');
      expect(outcome(await send('no-uid'))).toBe('400 invalid_value');
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
    expect(outcome(await acme.boss.http.post(register, { json: { backend } }))).toBe('400 invalid_value');
    expect(outcome(await acme.boss.http.post(`${register}?org=${acme.organization.username}`, { json: { backend } })))
      .toBe('400 invalid_value');
    expect(outcome(await acme.boss.http.post(unregister, { json: {} }))).toBe('400 invalid_value');
  });

  it('a user registers their own cluster: the folder has the login, the token is the user\'s', async () => {
    const user = await world.person();
    const cluster = await world.cluster(user.id);
    const identity = `${user.id}.${cluster.uid}`;
    const json = { backend, clusterUID: cluster.uid, issueToken: true };
    const { flavora } = ok<{ flavora: { bearerToken: string } }>(await user.http.post(register, { json }));
    expect(world.grafana.folders.get(`org-${user.id}`)!.title).toBe(user.username);
    expect(outcome(await hook(identity, flavora.bearerToken))).toBe('200');
    expect(outcome(await acme.boss.http.post(register, { json }))).toMatch(/^403 /);
  });

  it('clientOrgID is a client organization with the cluster, else 400', async () => {
    const [hub, client, plain] = [await world.owner(), await world.owner(), await world.owner()];
    await world.database.execute(sql`update organization set org_type = 2 where id = ${client.organization.id}`);
    const { uid } = hub.cluster;
    const send = (clientOrgID: string) =>
      hub.boss.http.post(register, { json: { backend, clusterUID: uid, clientOrgID, issueToken: true } });
    const id = String(client.organization.id);
    // The client organization does not have this cluster yet.
    expect(outcome(await send(id))).toBe('400 invalid_value');
    await world.cluster(client.organization.id, uid);
    // The caller does not manage the backends of the hub's organization.
    expect(outcome(await send(id))).toBe('400 invalid_value');
    await world.join(client.boss, client.organization.teams.Owners, hub.boss);
    const { datasource: name, flavora } = ok<{ datasource: string; flavora: { bearerToken: string } }>(
      await hub.boss.http.post(`${register}?org=${hub.organization.username}`, {
        json: { backend, clusterUID: uid, clientOrgID: id, issueToken: true },
      }),
    );
    expect(name).toBe(`${id}.${uid}`);
    expect(ok(await hook(name, flavora.bearerToken))).toEqual({
      owner: client.organization.username, clusterName: expect.any(String), tenantID: `platform.user.${id}`, clientOrg: 'true',
    });
    await world.cluster(plain.organization.id, uid);
    await world.join(plain.boss, plain.organization.teams.Owners, hub.boss);
    const wrong = [String(plain.organization.id), '0', 'x', '-1', '1.5', '999999', String(hub.boss.id)];
    for (const one of wrong) {
      expect(outcome(await hub.boss.http.post(`${register}?org=${hub.organization.username}`, {
        json: { backend, clusterUID: uid, clientOrgID: one },
      }))).toBe('400 invalid_value');
    }
  });
});

describe('bodies', () => {
  const send = (json: unknown) => acme.boss.http.post(register, { json });
  const clusterUID = () => acme.cluster.uid;

  it('a missing backend, or one with neither url nor service, is 422', async () => {
    for (const given of [
      {}, { backend: null }, { backend: {} }, { backend: { url: '' } }, { backend: { service: {} } },
      { backend: { service: { name: '', port: '' }, tls: { ca: '' } } }, { backend: { url: 5 } }, { backend: [] },
      { backend: { url: 'http://x', tls: { insecureSkipTLSVerify: 'yes' } } },
    ]) {
      expect(outcome(await send({ clusterUID: clusterUID(), ...given }))).toMatch(/^422 /);
    }
    expect(outcome(await acme.boss.http.post(register, { body: '{', headers: { 'content-type': 'application/json' } })))
      .toBe('422 malformed_body');
  });

  it.each([
    'ftp://example.org', 'file:///etc/passwd', 'example.org', '//example.org', 'http://', 'javascript:alert(1)',
    'http://user@example.org', 'http://user:password@example.org', 'unix:/var/run/docker.sock',
    'http://169.254.169.254/', 'http://[::1]:9090', 'http://[fe80::1]', 'http://0.0.0.0', 'http://224.0.0.1',
    'http://10.9.1.1', 'http://[::ffff:10.9.0.1]', 'http://[::]', 'http://[ff02::1]', 'http://[64:ff9b::a9fe:a9fe]',
    'http://[2002:0a09:0001::]', 'http://localhost.example.org\n', 'http://255.255.255.255',
  ])('the URL %j is 400', async (url) => {
    expect(outcome(await send({ clusterUID: clusterUID(), backend: { url } }))).toBe('400 invalid_value');
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
    expect(outcome(await send({ clusterUID: clusterUID(), backend: { ...url, [member]: value } }))).toBe('400 invalid_value');
  });

  it.each(['-a', 'a_b', 'a.b', 'a'.repeat(64), 'ä', 'a b', 'a/b'])('the project %j is 400', async (projectId) => {
    expect(outcome(await send({ clusterUID: clusterUID(), backend, projectId }))).toBe('400 invalid_value');
  });

  it.each([
    { url: 'https://prometheus.example.org/prefix?x=1' }, { url: 'http://no-such-name.invalid' },
    { service: { name: 'prometheus', namespace: 'monitoring' } }, { url: 'http://10.1.2.3:9090' },
    { url: 'https://example.org', service: { name: 'BAD NAME' }, basicAuth: { username: '', password: '' } },
    { url: 'https://example.org', bearerToken: 'x', tls: { serverName: 'prometheus', insecureSkipTLSVerify: true } },
  ])('is accepted: %j', async (given) => {
    expect(outcome(await send({ clusterUID: clusterUID(), backend: given }))).toBe('200');
  });

  it('secrets of a backend are stored sealed and are in no answer', async () => {
    const { boss, cluster, identity } = await world.owner();
    const secrets = { basicAuth: { username: 'prom', password: 'hush-hush-password' } };
    const json = { backend: { url: 'https://example.org', ...secrets }, clusterUID: cluster.uid };
    expect((await boss.http.post(register, { json })).text).not.toContain('hush');
    const row = await world.rows.one(sql<{ text: string }>`
      select backend::text as "text" from backend where identity = ${identity}`);
    expect(row.text).not.toContain(Buffer.from('hush-hush').toString('hex'));
    expect(row.text).not.toContain('hush');
  });
});

/** Answers to a token whose cluster is gone, before and after the token is deleted. */
const goneForToken = ['404 not_found', '401 unauthenticated'];

it('a cluster that moves to another account takes backends, datasources and tokens along', async () => {
  const [{ boss, cluster, identity }, other] = [await world.owner(), await world.owner()];
  const json = { backend, clusterUID: cluster.uid, issueToken: true };
  const { flavora } = ok<{ flavora: { bearerToken: string } }>(await boss.http.post(register, { json }));
  await world.moveCluster(cluster, other.organization.id);
  expect(goneForToken).toContain(outcome(await hook(identity, flavora.bearerToken)));
  expect(outcome(await boss.http.post(register, { json }))).toBe('403 not_org_member');
  await until(async () => (await rowsOf(identity)).length === 0, { within: 45_000, what: 'the backend is gone' });
  expect(datasource(identity)).toBeUndefined();
  ok(await other.boss.http.post(register, { json }));
});

it('a removed cluster takes backends, datasources and tokens along', async () => {
  const { boss, cluster, identity } = await world.owner();
  const json = { backend, clusterUID: cluster.uid, issueToken: true };
  const { flavora } = ok<{ flavora: { bearerToken: string } }>(await boss.http.post(register, { json }));
  ok(await boss.http.post(registerB, { json }));
  await world.removeCluster(cluster);
  expect(goneForToken).toContain(outcome(await hook(identity, flavora.bearerToken)));
  await until(async () => (await rowsOf(identity)).length === 0, { within: 45_000, what: 'the backends are gone' });
  expect(datasource(identity)).toBeUndefined();
  expect([...world.perses.resources.keys()].filter((path) => path.includes(cluster.uid))).toEqual([]);
  const tokens = await world.database.query(sql`select from access_token where scope like ${`%${cluster.uid}`}`);
  expect(tokens).toEqual([]);
});
