import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Fault } from '@platform/faults';
import { connect, type Database, sql } from '@platform/postgres';
import { ClusterAdminServiceService, ClusterServiceService, type ImportClusterRequest } from '@platform/proto/clusters/v1/cluster';
import type { RpcClient } from '@platform/rpc';
import { rpcClient, startService, testLab } from '@platform/testing';
import { openAuthority } from '@platform/tls';
import { specCall } from '../operator.ts';
import { outcome, type PeopledOrganization, type Person, startWorld, type World } from '../orgs/world.ts';
import { organizationHosts } from '../platform.ts';

let world: World;
let acme: PeopledOrganization;
let globex: PeopledOrganization;
let registry: RpcClient<typeof ClusterAdminServiceService>;
let clusters: RpcClient<typeof ClusterServiceService>;
let rows: Database;

beforeAll(async () => {
  world = await startWorld({ hosts: [...organizationHosts, 'clusters', 'contracts-licensing'] });
  [acme, globex] = [await world.organizationWith(1), await world.organizationWith(1)];
  const { platform } = world;
  registry = await rpcClient(ClusterAdminServiceService, platform.services.clusters, platform);
  clusters = await rpcClient(ClusterServiceService, platform.services.clusters);
  const { url, schema } = platform.databases.clusters;
  rows = connect({ url, schema, applicationName: 'spec', maxConnections: 2 });
}, 120_000);
afterAll(async () => {
  await rows?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

type Given = ImportClusterRequest & { readonly owner: string; readonly name: string; readonly uid: string };

function cluster(more: Partial<Given> = {}): Given {
  return {
    owner: acme.organization.username, name: `cluster-${randomUUID()}`, uid: randomUUID(), kubeconfig: '', hub: false,
    displayName: undefined, provider: undefined, ...more,
  };
}

const listed = async (owner: string) =>
  (await registry.listClusters({ owner, page: 0, limit: 0, after: undefined }, specCall())).clusters;

/** POST /clusters. @param org organization to import for; undefined for the caller's own account */
const post = ({ http }: Person, json: unknown, org?: string, headers: Record<string, string> = {}) =>
  http.post(`/api/v1/clusters${org === undefined ? '' : `?org=${org}`}`, { json, headers, within: 30_000 });

/** Over gRPC an empty kubeconfig stands for a missing one; over REST the field is absent. */
const bodyOf = ({ owner: _, kubeconfig, ...body }: ImportClusterRequest) => ({
  ...body, ...(kubeconfig === '' ? {} : { kubeconfig }),
});

/** A valid kubeconfig, with these changes. */
function kubeconfig({ cluster: ofCluster = {}, user = {} }: { cluster?: object; user?: object } = {}): string {
  return JSON.stringify({
    apiVersion: 'v1', kind: 'Config',
    clusters: [{ name: 'one', cluster: { server: 'https://127.0.0.1:65534', ...ofCluster } }],
    users: [{ name: 'one', user: { token: 'sesame-sesame', ...user } }],
    contexts: [{ name: 'one', context: { cluster: 'one', user: 'one' } }], 'current-context': 'one',
  });
}

const withUser = (user: object) => ({ kubeconfig: kubeconfig({ user }) });
const withCluster = (changed: object) => ({ kubeconfig: kubeconfig({ cluster: changed }) });

describe('the registry of clusters', () => {
  it('imports a cluster by its UID, and updates it when it is imported again', async () => {
    const given = cluster({ uid: randomUUID().toUpperCase(), displayName: 'Büro 🏢' });
    const first = await registry.importCluster(given, specCall());
    expect(first).toMatchObject({
      uid: given.uid.toLowerCase(), name: given.name, displayName: 'Büro 🏢', owner: acme.organization.username,
      provider: 'Generic', kubernetesVersion: '', nodeCount: 0, hub: false, phase: 'Registered',
    });
    const again = await registry.importCluster({ ...given, displayName: undefined, provider: 'metal' }, specCall());
    expect(again).toEqual({ ...first, provider: 'metal' });
    expect(await listed(acme.organization.username)).toContainEqual(again);
  });

  it('knows a cluster under several accounts, each with an entry of its own', async () => {
    const given = cluster();
    const ours = await registry.importCluster(given, specCall());
    const theirs = await registry.importCluster({ ...given, owner: globex.organization.username }, specCall());
    expect(theirs).toMatchObject({ uid: ours.uid, owner: globex.organization.username });
    expect(theirs.id).not.toBe(ours.id);
    const all = await listed('');
    expect(all.filter(({ uid }) => uid === ours.uid).map(({ owner }) => owner).sort())
      .toEqual([acme.organization.username, globex.organization.username].sort());
  });

  it('refuses a name that another cluster of the account has, also from many at once', async () => {
    const name = 'taken';
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () =>
      registry.importCluster(cluster({ name }), specCall())));
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ reason: 'ALREADY_EXISTS' });
    }
    expect((await listed(acme.organization.username)).filter((one) => one.name === name)).toHaveLength(1);
  });

  it.each([
    ['neither UID nor kubeconfig', { uid: '' }, 'uid'], ['a UID that is no UUID', { uid: 'lab' }, 'uid'],
    ['an empty name', { name: ' ' }, 'name'], ['a name with a control character', { name: 'a\u0001' }, 'name'],
    ['a long display name', { displayName: 'x'.repeat(101) }, 'displayName'],
    ['a hub that cannot be asked', { hub: true }, 'kubeconfig'],
    ['an invalid kubeconfig', { kubeconfig: 'hello: [' }, 'kubeconfig'],
    ['a kubeconfig without a context', { kubeconfig: '{}' }, 'kubeconfig'],
    ['a kubeconfig that runs a program', withUser({ exec: { command: 'sh' } }), 'kubeconfig'],
    ['a kubeconfig with an auth-provider', withUser({ 'auth-provider': { name: 'gcp' } }), 'kubeconfig'],
    ['a kubeconfig with a key in a file', withUser({ 'client-key': '/etc/key' }), 'kubeconfig'],
    ['a kubeconfig with an authority in a file', withCluster({ 'certificate-authority': '/etc/ca' }), 'kubeconfig'],
    ['a kubeconfig with a token in a file', withUser({ tokenFile: '/etc/hostname' }), 'kubeconfig'],
    ['a kubeconfig with a token in a file, in its old spelling',
      withUser({ 'token': undefined, 'token-file': '/etc/hostname' }), 'kubeconfig'],
    ['a kubeconfig that acts as groups', withUser({ 'as': 'x', 'as-groups': ['y'] }), 'kubeconfig'],
    ['a kubeconfig that acts as a UID', withUser({ 'as': 'x', 'as-uid': 'y' }), 'kubeconfig'],
    ['a kubeconfig with an invalid certificate',
      withUser({ 'client-certificate-data': 'c2VzYW1l', 'client-key-data': 'c2VzYW1l' }), 'kubeconfig'],
    ['a kubeconfig with a token of two lines', withUser({ token: 'sesame\nsesame' }), 'kubeconfig'],
    ['a kubeconfig without https', withCluster({ server: 'http://127.0.0.1:9' }), 'kubeconfig'],
    ['a kubeconfig with a proxy', withCluster({ 'proxy-url': 'http://127.0.0.1:9' }), 'kubeconfig'],
  ])('refuses %s, and says where', async (_, more, path) => {
    const attempt = registry.importCluster(cluster(more), specCall());
    await expect(attempt).rejects.toMatchObject({ reason: 'INVALID_VALUE', violations: [{ path }] });
    const { message } = await attempt.catch((thrown: Error) => thrown) as Error;
    expect(message).not.toContain('sesame');
    const answer = await post(acme.boss, bodyOf(cluster(more)), acme.organization.username);
    expect([answer.status, answer.json()]).toEqual([400, expect.objectContaining({
      code: 'invalid_value', message, errors: [expect.objectContaining({ path })],
    })]);
  });

  it('refuses a cluster that does not answer, and keeps nothing of it', async () => {
    const given = cluster({ kubeconfig: kubeconfig() });
    await expect(registry.importCluster(given, specCall())).rejects.toMatchObject({ reason: 'BAD_UPSTREAM' });
    expect((await listed(acme.organization.username)).map(({ name }) => name)).not.toContain(given.name);
  });

  it('refuses an unknown owner', async () => {
    const attempt = registry.importCluster(cluster({ owner: 'nobody-here' }), specCall());
    await expect(attempt).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });

  it('removes a cluster, but not one that is bound to an active contract, unless forced', async () => {
    const { uid, name, owner } = await registry.importCluster(cluster(), specCall());
    const created = await world.siteAdmin.http.post(`/api/v1/contracts?org=${owner}`, {
      json: { name: 'one', products: ['platform'], end: 4_000_000_000, clusters: [{ cluster: uid }] },
    });
    expect([created.status, created.text]).toEqual([201, expect.stringContaining(uid)]);
    const removal = { owner, name, force: false };
    await expect(registry.removeCluster(removal, specCall())).rejects.toMatchObject({ reason: 'CONFLICT' });
    await registry.removeCluster({ ...removal, force: true }, specCall());
    await expect(registry.removeCluster(removal, specCall())).rejects.toMatchObject({ reason: 'NOT_FOUND' });
    const { held } = await rows.one(sql<{ held: number }>`select count(*) as held from cluster where name = ${name}`);
    expect(held).toBe(0);
  });

  it('lets those import and remove who may, over gRPC with a token', async () => {
    const { boss, people: [viewer], organization } = acme;
    const given = cluster();
    await expect(clusters.importCluster(given, specCall(viewer!.token))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const stranger = clusters.importCluster(given, specCall(globex.boss.token));
    await expect(stranger).rejects.toMatchObject({ reason: 'NOT_ORG_MEMBER' });
    const imported = await clusters.importCluster(given, specCall(boss.token));
    expect(imported).toMatchObject({ owner: organization.username, name: given.name });
    const removal = { owner: organization.username, name: given.name, force: false };
    await expect(clusters.removeCluster(removal, specCall(viewer!.token))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await clusters.removeCluster(removal, specCall(boss.token));
    expect((await listed(organization.username)).map(({ id }) => id)).not.toContain(imported.id);
  });

  it('connects to no address that is refused, hubs included, and tells a user nothing of what is there', async () => {
    const server = createServer();
    const reached: unknown[] = [];
    server.on('connection', (socket) => {
      reached.push(socket.remoteAddress);
      socket.on('error', () => undefined).resume().end('220 mail.example ESMTP\r\n');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    // Like production: without the setting of the lab.
    const { settings } = world.platform;
    const own = { ...settings.clusters, 'clusters.allowedCIDRs': '', 'clusters.deniedCIDRs': '10.96.0.0/12' };
    await using service = await startService('clusters', { ...own, 'grpc.listen': '127.0.0.1:0' });
    await using strict = await rpcClient(ClusterServiceService, service);
    const user = await world.person();
    const answerOf = async (client: typeof strict, host: string, hub: boolean) => {
      const text = kubeconfig({ cluster: { server: `https://${host}` } });
      const given = cluster({ owner: user.username, uid: '', kubeconfig: text, hub });
      const error = await client.importCluster(given, specCall(user.token)).catch((thrown: unknown) => thrown);
      return { reason: (error as Fault).reason, message: (error as Fault).message };
    };
    const refused = await Promise.all([
      `127.0.0.1:${port}`, `0.0.0.0:${port}`, `[::1]:${port}`, `[::ffff:127.0.0.1]:${port}`, `2130706433:${port}`,
      `0x7f.1:${port}`, `localhost:${port}`, `localhost.:${port}`, '169.254.169.254', '10.96.0.1', '[fe80::1]',
    ].flatMap((host) => [answerOf(strict, host, false), answerOf(strict, host, true)]));
    expect(reached).toEqual([]);
    // With the setting of the lab, one address is reached and another refuses; the answer is the same.
    const spoken = await answerOf(clusters, `127.0.0.1:${port}`, false);
    expect(reached.length).toBeGreaterThan(0);
    await new Promise((closed) => server.close(closed));
    const closed = await answerOf(clusters, `127.0.0.1:${port}`, false);
    expect(new Set([...refused, spoken, closed].map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(spoken.reason).toBe('BAD_UPSTREAM');
  }, 60_000);

  it('tells the operator, and no user, why a cluster cannot be asked', async () => {
    await using server = await startSecureServer(['other.example']);
    const user = await world.person();
    const importAs = async (client: Pick<typeof clusters, 'importCluster'>, ofCluster: object, call = specCall()) => {
      const given = cluster({ owner: user.username, uid: '', kubeconfig: kubeconfig({ cluster: ofCluster }) });
      return await client.importCluster(given, call).then(() => undefined, (error: Fault) => error);
    };
    const address = `https://127.0.0.1:${server.port}`;
    const trusting = { 'server': address, 'certificate-authority-data': Buffer.from(server.authority).toString('base64') };
    // The form in which `openssl x509 -text` prints it.
    const told = Buffer.from(`Certificate:\n    Data:\n        X509v3 - extensions\n${server.authority}`).toString('base64');
    const causes: [given: object, cause: RegExp][] = [
      [{ server: address }, /authority .* does not trust.*certificate-authority-data \(its authority is CN=/],
      [trusting, /does not have the name .*tls-server-name.* \(it is for other\.example\)/],
      [{ ...trusting, 'tls-server-name': 'other.example' }, /status 418/],
      [{ ...trusting, 'certificate-authority-data': told, 'tls-server-name': 'other.example' }, /status 418/],
      [{ server: 'https://127.0.0.1:1' }, /^127\.0\.0\.1:1: connect ECONNREFUSED/],
      [{ server: 'https://nowhere.invalid' }, /^nowhere\.invalid: getaddrinfo/],
      [{ server: 'https://169.254.169.254' }, /^169\.254\.169\.254: /],
    ];
    const answered = await Promise.all(causes.map(async ([given]) => {
      const fault = await importAs(registry, given);
      return [fault?.reason, fault?.message];
    }));
    expect(answered).toEqual(causes.map(([, cause]) => ['BAD_UPSTREAM', expect.stringMatching(cause)]));
    const untold = await Promise.all(causes.map(([given]) => importAs(clusters, given, specCall(user.token))));
    expect(new Set(untold.map((fault) => fault?.message)).size).toBe(1);
  });

  it('lets only the user import clusters of their own', async () => {
    const [user, other] = [await world.person(), await world.person()];
    const given = cluster({ owner: user.username });
    await expect(clusters.importCluster(given, specCall(other.token))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(clusters.importCluster(given, specCall(user.token))).resolves.toMatchObject({ owner: user.username });
  });

  it('takes 20 clusters of an account without a kubeconfig, also of those that come at once', async () => {
    const user = await world.person();
    const given = Array.from({ length: 24 }, () => cluster({ owner: user.username }));
    const outcomes = await Promise.all(given.map((one) =>
      clusters.importCluster(one, specCall(user.token)).then(() => 'OK', (error: Fault) => error.reason)));
    expect(outcomes.filter((one) => one === 'OK')).toHaveLength(20);
    expect(outcomes.filter((one) => one === 'TOO_MANY_ITEMS')).toHaveLength(4);
    // Importing a known cluster again updates it, and a cluster that has reported no longer counts.
    await clusters.importCluster(given[outcomes.indexOf('OK')]!, specCall(user.token));
    const [refused] = given.filter((_, place) => outcomes[place] !== 'OK');
    await rows.execute(sql`
      insert into cluster_contact (owner_id, cluster_uid, last_at) values (${user.id}, ${refused!.uid}::uuid, now())`);
    await clusters.importCluster(refused!, specCall(user.token));
  });
});

/** A user who has imported a cluster of their own, with its address and the answer. */
async function userWithCluster() {
  const person = await world.person();
  const given = cluster();
  const answer = await post(person, bodyOf(given));
  return { person, given, answer, at: `/api/v1/clusters/${person.username}/${given.name}` };
}

describe('clusters of an account over REST (open-points 18.6)', () => {
  interface Info { readonly id: number; readonly name: string }
  const wrongKubeconfig = expect.objectContaining({ errors: [expect.objectContaining({ path: 'kubeconfig' })] });
  const address = (owner: string, name: string) => `/api/v1/clusters/${owner}/${encodeURIComponent(name)}`;
  const match = (tag: string) => ({ 'if-match': tag });
  const keysOf = async (name: string) => (await rows.query(sql<{ kept: string | null }>`
    select encode(sealed_secret, 'escape') as "kept" from cluster where name = ${name}`)).map(({ kept }) => kept);
  const auditOf = async (id: number) => (await rows.query(sql<{ action: string }>`
    select action from audit where object = ${`cluster:${id}`} order by id`)).map(({ action }) => action);

  it.each(['an organization', 'a user'])('imports, shows, lists, changes and removes a cluster of %s', async (kind) => {
    const person = kind === 'a user' ? await world.person() : acme.boss;
    const org = kind === 'a user' ? undefined : acme.organization.username;
    const owner = org ?? person.username;
    const given = cluster({ name: `Büro/${randomUUID()}`, displayName: '=Lab' });
    const made = await post(person, bodyOf(given), org);
    const info = made.json<Info>();
    expect([made.status, info]).toEqual([201, {
      id: expect.any(Number), uid: given.uid, name: given.name, displayName: '=Lab', ownerID: expect.any(Number), ownerName: owner,
      provider: 'Generic', kubernetesVersion: '', nodeCount: 0, createdAt: expect.stringMatching(/^\d{4}-.*:\d\dZ$/),
      status: { phase: 'Registered' },
    }]);
    const at = address(owner, given.name);
    expect((await person.http.get(at)).json()).toEqual(info);
    const list = `/api/v1/clusters${org === undefined ? '' : `?org=${org}`}`;
    expect((await person.http.get(list)).json<Info[]>().filter(({ id }) => id === info.id)).toEqual([info]);
    const csv = await person.http.get(list, { headers: { accept: 'text/csv' } });
    expect(csv.text).toContain(`,'=Lab,${given.name},${given.uid},`);
    const changed = await person.http.patch(at, { json: { displayName: '' } });
    expect([changed.status, changed.json()]).toEqual([200, { ...info, displayName: '' }]);
    expect((await person.http.delete(at)).status).toBe(204);
    const { http } = person;
    const gone = [await http.get(at), await http.patch(at, { json: { displayName: 'x' } }), await http.delete(at)];
    expect(gone.map(outcome)).toEqual(Array(3).fill('404 not_found'));
    expect(await auditOf(info.id)).toEqual(['cluster.import', 'cluster.update', 'cluster.remove']);
  });

  it('asks a cluster by its kubeconfig, which is kept sealed and shown nowhere', async () => {
    const { hub, spokes } = await testLab();
    const [ofHub, ofSpoke] = await Promise.all([hub, spokes[0]!].map(({ kubeconfig: file }) => readFile(file, 'utf8')));
    const person = await world.person();
    const name = `hub-${randomUUID()}`;
    const made = await post(person, { name, kubeconfig: ofHub, hub: true });
    expect([made.status, made.json()]).toEqual([201, expect.objectContaining({
      uid: hub.uid, kubernetesVersion: expect.stringMatching(/^v1\./), status: { phase: 'Active' },
    })]);
    const at = address(person.username, name);
    const other = await person.http.patch(at, { json: { kubeconfig: ofSpoke }, within: 30_000 });
    expect([outcome(other), other.json()]).toEqual(['400 invalid_value', wrongKubeconfig]);
    const [before] = await keysOf(name);
    expect(outcome(await person.http.patch(at, { json: { kubeconfig: ofHub }, within: 30_000 }))).toBe('200');
    const [after] = await keysOf(name);
    const secret = /"(?:token|client-key-data)": ?"([^"]{20})/.exec(ofHub!)![1]!;
    const shown = [made, await person.http.get(at), await person.http.get('/api/v1/clusters')].map(({ text }) => text);
    expect([after === before, [...shown, before, after].some((text) => text!.includes(secret))]).toEqual([false, false]);
    expect(JSON.stringify(await rows.query(sql`select details from audit where object like 'cluster:%'`))).not.toContain(secret);
  });

  it.each([
    ['none', 'hello: [', '400 invalid_value'], ['empty', '', '400 invalid_value'],
    ['of a program', kubeconfig({ user: { exec: { command: 'sh' } } }), '400 invalid_value'],
    ['of an address where nothing answers', kubeconfig(), '400 bad_upstream'],
  ])('refuses a new kubeconfig that is %s, and changes nothing', async (_what, text, expected) => {
    const { person, given, at } = await userWithCluster();
    expect(outcome(await person.http.patch(at, { json: { displayName: 'x', kubeconfig: text } }))).toBe(expected);
    expect((await person.http.get(at)).json()).toMatchObject({ displayName: '' });
    expect(await keysOf(given.name)).toEqual([null]);
  });

  it('refuses an empty kubeconfig, which is not the same as none', async () => {
    const person = await world.person();
    const answer = await post(person, { ...bodyOf(cluster()), kubeconfig: '' });
    expect([outcome(answer), answer.json()]).toEqual(['400 invalid_value', wrongKubeconfig]);
  });

  it('answers 400 for a name that is taken, and for a cluster that does not answer', async () => {
    const { person, given, answer } = await userWithCluster();
    expect(outcome(answer)).toBe('201');
    expect(outcome(await post(person, bodyOf(cluster({ name: given.name }))))).toBe('400 already_exists');
    expect(outcome(await post(person, bodyOf(cluster({ kubeconfig: kubeconfig() }))))).toBe('400 bad_upstream');
    expect((await person.http.get('/api/v1/clusters')).json<Info[]>().map(({ name }) => name)).toEqual([given.name]);
  });

  it('removes no cluster that is in use, unless forced', async () => {
    const { boss, organization: { id: ownerId, username } } = acme;
    const [bound, hub] = [cluster(), cluster()];
    for (const one of [bound, hub]) expect(outcome(await post(boss, bodyOf(one), username))).toBe('201');
    const contract = await world.siteAdmin.http.post(`/api/v1/contracts?org=${username}`, {
      json: { name: 'one', products: ['platform'], end: 4_000_000_000, clusters: [{ cluster: bound.uid }] },
    });
    expect(contract.status).toBe(201);
    await rows.execute(sql`
      insert into client_organization (creation, name, hub_owner_id, hub_uid, permissions)
      values (gen_random_uuid(), 'client-of-spec', ${ownerId}, ${hub.uid}::uuid, '[]')`);
    for (const { name } of [bound, hub]) {
      const at = address(username, name);
      expect(outcome(await boss.http.delete(at))).toBe('409 conflict');
      expect(outcome(await boss.http.delete(`${at}?force=false`))).toBe('409 conflict');
      expect(outcome(await boss.http.get(at))).toBe('200');
      expect(outcome(await boss.http.delete(`${at}?force=true`))).toBe('204');
    }
    await rows.execute(sql`delete from client_organization where name = 'client-of-spec'`);
  });

  it('lets those see clusters who may, and changes nothing for others', async () => {
    const { boss, organization: { username, id }, people: [viewer] } = acme;
    const given = cluster();
    await post(boss, bodyOf(given), username);
    const at = address(username, given.name);
    const list = `/api/v1/clusters?org=${username}`;
    const member = await world.person();
    const role = await boss.http.post(`/api/v1/authz/roles?org=${username}`, {
      json: { name: `see ${id}`, permissions: [{ namespace: 'cluster_mgmt', action: 'view clusters' }] },
    });
    const team = await boss.http.post(`/api/v1/orgs/${username}/teams`, {
      json: { name: `team ${id}`, type: 'kubernetes', assignedRoleIDs: [] },
    });
    await world.join(boss, team.json<{ id: number }>().id, member);
    const outcomes = async ({ http }: Person) => [
      outcome(await http.get(list)), outcome(await http.get(at)), outcome(await http.patch(at, { json: {} })),
      outcome(await http.delete(at)), outcome(await http.post(list, { json: bodyOf(cluster()) })),
    ];
    const [no, yes, stranger] = ['403 forbidden', '200', '403 not_org_member'];
    expect(await outcomes(viewer!)).toEqual([yes, yes, no, no, no]);
    expect(await outcomes(member)).toEqual([no, no, no, no, no]);
    const assigned = await boss.http.put(`/api/v1/authz/roles/${role.json<{ id: number }>().id}?org=${username}`, {
      json: { teamIDs: [team.json<{ id: number }>().id] },
    });
    expect(assigned.status).toBe(200);
    expect(await outcomes(member)).toEqual([yes, yes, no, no, no]);
    expect(await outcomes(globex.boss)).toEqual(Array(5).fill(stranger));
    expect(outcome(await boss.http.get((await userWithCluster()).at))).toBe('403 forbidden');
  });

  it('lets only one of several writers change what all of them read', async () => {
    const { person, answer, at } = await userWithCluster();
    const info = answer.json<Info>();
    const tagOf = async () => (await person.http.get(at)).header('etag')!;
    const first = await tagOf();
    // Values that the platform observes appear in the answer, but do not change the ETag.
    await rows.execute(sql`
      update cluster set node_count = 7, kubernetes_version = 'v1.34.1', last_contact_at = now() where id = ${info.id}`);
    const observed = await person.http.get(at, { headers: { 'if-none-match': first } });
    expect([observed.status, observed.json()]).toEqual([200, expect.objectContaining({ nodeCount: 7 })]);
    expect((await person.http.get(at, { headers: { 'if-none-match': await tagOf() } })).status).toBe(304);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) =>
      person.http.patch(at, { json: { displayName: `writer ${index}` }, headers: match(first) })));
    const winners = answers.filter(({ status }) => status === 200);
    expect([winners.length, new Set(answers.filter(({ status }) => status !== 200).map(outcome))])
      .toEqual([1, new Set(['412 precondition_failed'])]);
    const [winner] = winners;
    expect([winner!.header('etag'), winner!.json()]).toEqual([await tagOf(), (await person.http.get(at)).json()]);
    // A stale `If-Match` is refused before the kubeconfig is tried.
    const late = { json: { kubeconfig: kubeconfig() }, headers: match(first) };
    expect(outcome(await person.http.patch(at, late))).toBe('412 precondition_failed');
    expect(outcome(await person.http.delete(at, { headers: match(first) }))).toBe('412 precondition_failed');
    expect(outcome(await person.http.delete(at, { headers: match(winner!.header('etag')!) }))).toBe('204');
  });

  it('imports once what is repeated with its key', async () => {
    const person = await world.person();
    const headers = { 'idempotency-key': randomUUID() };
    const body = bodyOf(cluster());
    const answers = [await post(person, body, undefined, headers), await post(person, body, undefined, headers)];
    expect(answers.map((answer) => [answer.status, answer.header('idempotent-replayed')]))
      .toEqual([[201, undefined], [201, 'true']]);
    const info = answers[0]!.json<Info>();
    expect([answers[1]!.json(), await auditOf(info.id)]).toEqual([info, ['cluster.import']]);
    expect(outcome(await post(person, { ...body, displayName: 'x' }, undefined, headers))).toBe('422 idempotency_key_reused');
  });
});

/** A server with a certificate for these names, which answers every request with 418. */
async function startSecureServer(names: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'platform-registry-'));
  const files = await (await openAuthority(folder)).issue({ role: 'service', name: 'apiserver', hosts: names });
  const [cert, key, authority] = await Promise.all(
    [files.certificate, files.key, join(folder, 'ca.pem')].map((file) => readFile(file)),
  );
  const server = createHttpsServer({ cert: cert!, key: key! }, (_, response) => response.writeHead(418).end('{}'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port, authority: authority!,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
