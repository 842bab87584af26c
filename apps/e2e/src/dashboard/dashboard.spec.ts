import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, sql } from '@platform/postgres';
import { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import { type HttpAnswer, rpcClient, until } from '@platform/testing';
import { peopleCommand } from '../clients/people-command.ts';
import { bind, checked, issue, ok } from '../contracts/contract-world.ts';
import { specCall } from '../operator.ts';
import { adminCommand } from '../operator-command.ts';
import { type Organization, outcome, type Person } from '../orgs/world.ts';
import { organizationHosts } from '../platform.ts';
import { siteInfo } from '../usage/reported.ts';
import { startUsageWorld, type UsageMember, type UsageWorld } from '../usage/usage-world.ts';

type Shown = Readonly<Record<string, unknown>>;

const product = 'productdb-enterprise';
const objectUid = 'a9a0f7d2-0a32-4c0b-8f7e-51d4f4c9f101';
const genericKey = `core.k8s.platform.dev/genericresources/${objectUid}`;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
const unixOf = (time: string) => Math.floor(Date.parse(time) / 1000);

let world: UsageWorld, admin: Person['http'];
let owner: Person;
/** `acme` has a licence and a cluster that reports, `quiet` only a licence, `stranger` neither. */
let acme: Organization, quiet: Organization, stranger: Organization;
let member: UsageMember, licenceId: string;
const quietCluster = randomUUID();
const sentAt = [ago(3 * 3600), ago(2 * 3600), ago(3600)] as const;

beforeAll(async () => {
  const hosts = [...organizationHosts, 'clusters', 'contracts-licensing', 'billing-dashboard'] as const;
  world = await startUsageWorld({ hosts });
  admin = world.siteAdmin.http;
  owner = await world.person();
  acme = await world.organization(owner, { username: 'acme' });
  [quiet, stranger] = [await world.organization(owner), await world.organization(owner)];
  member = await world.member(acme, product);
  licenceId = await licensed(acme, member.clusterUid);
  await licensed(quiet, quietCluster);
  for (const [place, time] of sentAt.entries()) {
    const action = place === 0 ? 'created' : 'updated';
    await member.send({ uid: objectUid, licenceId, time, generation: place + 1, action, cpu: `${place + 1}` });
  }
  await member.send(siteInfo(product, licenceId, ago(1800), { product: { licenseID: licenceId }, kubernetes: { old: 1 } }));
  await member.send(siteInfo(product, licenceId, ago(900), { kubernetes: { nodeStats: { count: 3 } } }));
  // Repeat one event, and send one that is earlier than all others.
  await member.send({ uid: objectUid, licenceId, time: sentAt[0], cpu: '1' });
  await member.send(siteInfo(product, licenceId, ago(20 * 86_400), { kubernetes: { older: 1 } }));
  const areCounted = async () => (await get(below('/events-histories'))).json<Shown>()['totalEvents'] === 6;
  await until(areCounted, { within: 30_000, what: 'licence and events have arrived' });
  const isKnown = async () => (await list(`users/${quiet.id}/clusters`)).length === 1;
  await until(isKnown, { within: 30_000, what: 'the other licence has arrived' });
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

/** An organization gets a contract and a licence for a cluster. */
async function licensed({ id, username }: Organization, cluster: string): Promise<string> {
  const contract = await world.contract(id, { products: ['productdb'] });
  await bind(admin, contract.id, [{ cluster }]);
  ok(await issue(owner.http, { cluster }, `?org=${username}`));
  return (await world.rows.one(sql<{ id: string }>`
    select id::text as "id" from licence where cluster_uid = ${cluster}::uuid`)).id;
}

const get = (path: string, query = '', http = admin) => http.get(`/api/v1/dashboard/${path}?org=acme${query}`);
const list = async (path: string, query = '') => ok<Shown[]>(await get(path, query));
const ofCluster = () => `users/${acme.id}/clusters/${member.clusterUid}`;
const ofLicence = () => `${ofCluster()}/licenses/${licenceId}`;
const userIds = (shown: readonly Shown[]) => shown.map(({ userID }) => userID);
const openRegistry = () => rpcClient(ClusterAdminServiceService, world.platform.services.clusters, world.platform);
const below = (path = '') => `${ofLicence()}/products/${product}${path}`;

describe('users', () => {
  const ids = async (path: string, query = '') => userIds(await list(path, query));

  it('are those with a licence, active by what arrived in the window, inactive without any', async () => {
    const [first, second] = await list('users/');
    expect(first).toEqual({
      username: 'acme', userType: 'organization', email: expect.any(String), userID: acme.id,
      lastReceivedAt: expect.any(Number),
    });
    expect(Math.abs(Number(first!['lastReceivedAt']) - Date.now() / 1000)).toBeLessThan(600);
    expect(second).toMatchObject({ userID: quiet.id, lastReceivedAt: 0 });
    expect(await ids('users')).toEqual([acme.id, quiet.id]);
    expect(await ids('users/active')).toEqual([acme.id]);
    expect(await ids('users/active/', '&limit=1h')).toEqual([acme.id]);
    expect(await ids('users/active', '&limit=1ns')).toEqual([]);
    expect(await ids('users/inactive')).toEqual([quiet.id]);
  });

  it('are in pages of per_page, because limit is a window', async () => {
    const answer = await get('users', '&per_page=1');
    expect(ok<Shown[]>(answer)).toHaveLength(1);
    expect(answer.header('x-total-count')).toBe('2');
    expect(answer.header('link')).toContain('per_page=1');
    expect(await ids('users', '&per_page=1&page=2')).toEqual([quiet.id]);
    expect(await ids('users/active', '&per_page=1&page=2&limit=720h')).toEqual([]);
  });

  it('are a page of per_page for `platform api` as well, and all of them without', async () => {
    const home = await mkdtemp(join(tmpdir(), 'dashboard-'));
    try {
      const signedIn = await peopleCommand(home, ['login', world.platform.baseUrl], `${world.siteAdmin.token}\n`);
      expect(signedIn).toMatchObject({ code: 0 });
      const listed = async (...flags: string[]) => {
        const { stdout } = await peopleCommand(home, ['api', 'listLicensedUsers', '--org=acme', '-o', 'json', ...flags]);
        return userIds(JSON.parse(stdout) as Shown[]);
      };
      expect(await listed('--per_page=1')).toEqual([acme.id]);
      expect(await listed()).toEqual([acme.id, quiet.id]);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });

  it.each(['limit=', 'limit=1d', 'limit=0h', 'limit=-1h', 'limit=2999-01-01', 'limit=1h&limit=2h', 'page=-1', 'per_page=x'])(
    'with %s are refused', async (query) => {
      for (const path of [
        'users/active', `users/${acme.id}/clusters/active`, `${ofCluster()}/licenses/active`, `${ofLicence()}/products`,
        `clusters/${member.clusterUid}/licenses/active`,
      ]) expect([path, outcome(await get(path, `&${query}`))]).toEqual([path, '400 invalid_parameter']);
    },
  );
});

describe('clusters', () => {
  it('are known by a licence, then imported', async () => {
    const path = `users/${quiet.id}/clusters`;
    const unknown = {
      id: 0, displayName: '', name: '', uid: quietCluster, ownerID: quiet.id, ownerName: quiet.username,
      provider: 'Generic', kubernetesVersion: '', nodeCount: 0, createdAt: expect.stringMatching(/^20.*Z$/),
      status: { phase: 'NotImported' },
    };
    expect(await list(path)).toEqual([unknown]);
    expect(ok(await get(`${path}/${quietCluster.toUpperCase()}`))).toEqual(unknown);
    expect(await list(`${path}/active`)).toEqual([]);
    const registry = await openRegistry();
    const cluster = { uid: quietCluster, hub: false, displayName: 'Calm', provider: 'aws' };
    await registry.importCluster({ owner: quiet.username, name: 'calm', kubeconfig: '', ...cluster }, specCall());
    const withId = async () => (await list(path)).find(({ id }) => id !== 0);
    const imported = await until(withId, { what: 'the import has arrived' });
    expect(imported).toMatchObject({ name: 'calm', displayName: 'Calm', provider: 'aws', uid: quietCluster });
    expect(['Registered', 'Active']).toContain((imported['status'] as { phase: string }).phase);
  });

  it('are active by what arrived, with the active contracts of their account', async () => {
    const [active, ...others] = await list(`users/${acme.id}/clusters/active`);
    expect(active).toEqual({
      username: 'acme', clusterID: member.clusterUid, firstReceivedAt: expect.any(Number),
      lastReceivedAt: expect.any(Number), noOfAssociatedContracts: 1,
    });
    expect(others).toEqual([]);
    expect(await list(`users/${acme.id}/clusters/active`, '&limit=1ns')).toEqual([]);
    const contract = await world.contract(acme.id, { products: ['productbackup'] });
    await bind(admin, contract.id, [{ cluster: member.clusterUid }]);
    const contracts = async () => (await list(`users/${acme.id}/clusters/active`))[0]!['noOfAssociatedContracts'];
    await until(async () => (await contracts()) === 2, { what: 'the second contract counts' });
    await world.revoke(contract.id);
    await until(async () => (await contracts()) === 1, { what: 'the revoked one counts no more' });
  });

  it('are empty for an account without any', async () => {
    expect(await list(`users/${stranger.id}/clusters`)).toEqual([]);
    expect(await list(`users/${stranger.id}/clusters/active`)).toEqual([]);
  });
});

describe('licences', () => {
  it('are plans of their account', async () => {
    const plan = {
      uid: acme.id, email: expect.any(String), licenseID: licenceId, clusters: [member.clusterUid],
      planName: 'productdb-enterprise', notBefore: expect.any(Number), notAfter: expect.any(Number), registeredAt: 0,
      createdAt: expect.any(Number), updatedAt: expect.any(Number),
    };
    const [shown, ...others] = await list(`${ofCluster()}/licenses/`);
    expect([shown, others]).toEqual([plan, []]);
    expect(Number(shown!['notAfter'])).toBeGreaterThan(Date.now() / 1000);
    expect(ok(await get(ofLicence()))).toEqual({
      license: plan,
      siteinfo: {
        kind: 'SiteInfo', metadata: { name: `${licenceId}.${product}` }, kubernetes: { nodeStats: { count: 3 } },
      },
    });
    const [other] = await list(`users/${quiet.id}/clusters/${quietCluster}/licenses`);
    const withoutSite = await get(`users/${quiet.id}/clusters/${quietCluster}/licenses/${String(other!['licenseID'])}`);
    expect(ok<Shown>(withoutSite)['siteinfo']).toEqual({});
  });

  it('are active by what arrived, for one account and for all', async () => {
    const active = {
      username: 'acme', email: expect.any(String), userId: acme.id, licenseID: licenceId,
      firstReceivedAt: expect.any(Number), lastReceivedAt: expect.any(Number),
    };
    expect(await list(`${ofCluster()}/licenses/active`)).toEqual([active]);
    expect(await list(`clusters/${member.clusterUid.toUpperCase()}/licenses/active`)).toEqual([active]);
    expect(await list(`clusters/${member.clusterUid}/licenses/active`, '&limit=1ns')).toEqual([]);
    for (const unknown of [randomUUID(), 'main']) expect(await list(`clusters/${unknown}/licenses/active`)).toEqual([]);
  });
});

describe('products', () => {
  it('are those that reported under a licence', async () => {
    const received = {
      userName: 'acme', userType: 'organization', email: expect.any(String), userID: acme.id,
      clusterID: member.clusterUid, licenseID: licenceId, productName: product,
      firstReceivedAt: expect.any(Number), lastReceivedAt: expect.any(Number),
    };
    expect(await list(`${ofLicence()}/products/`)).toEqual([received]);
    expect(await list(`${ofLicence()}/products/`, '&limit=1ns')).toEqual([]);
    // The answer about a single product does not depend on the period.
    expect(ok(await get(below(), '&limit=1ns'))).toEqual(received);
    expect(outcome(await get(below(), '&limit=no'))).toBe('400 invalid_parameter');
    expect(outcome(await get(below().replace(product, product.toUpperCase())))).toBe('404 not_found');
  });
});

describe('events', () => {
  it('are listed newest first, those of the last days by their own time', async () => {
    const events = await list(below('/events/'));
    expect(events.map(({ key, version, timestamp }) => [key, version, timestamp])).toEqual([
      [`core/siteinfos/site-${product}`, 2, expect.any(Number)],
      [`core/siteinfos/site-${product}`, 1, expect.any(Number)],
      [genericKey, 3, unixOf(sentAt[2])], [genericKey, 2, unixOf(sentAt[1])], [genericKey, 1, unixOf(sentAt[0])],
    ]);
    expect(events[2]!['partialResource']).toEqual({ partialObjectMeta: {
      apiVersion: 'core.k8s.platform.dev/v1alpha1', kind: 'GenericResource',
      metadata: { name: 'orders', namespace: 'demo', uid: objectUid, generation: 3 },
    } });
    expect(await list(below('/events'), '&lastDays=1')).toHaveLength(5);
    const second = await get(below('/events'), '&per_page=2&page=2');
    expect([ok<Shown[]>(second).length, second.header('x-total-count')]).toEqual([2, '5']);
  });

  it.each(['lastDays=0', 'lastDays=15', 'lastDays=-1', 'lastDays=x', 'lastDays=', 'lastDays=14.0'])(
    'with %s are refused', async (query) => {
      expect(outcome(await get(below('/events'), `&${query}`))).toBe('400 invalid_parameter');
    },
  );

  it('are shown whole by key and version', async () => {
    const shown = ok<Shown>(await get(below('/events/raw-event'), `&key=${encodeURIComponent(genericKey)}&version=2`));
    expect(shown).toEqual({
      resourceID: {
        group: 'core.k8s.platform.dev', version: 'v1alpha1', name: 'genericresources', kind: 'GenericResource',
        scope: 'Namespaced',
      },
      licenseID: licenceId, version: 2, timestamp: unixOf(sentAt[1]),
      resource: expect.objectContaining({ kind: 'GenericResource', spec: expect.objectContaining({ uid: objectUid }) }),
    });
    const [refused, unknown, ofKey] = ['400 invalid_parameter', '404 not_found', `key=${genericKey}`];
    for (const [query, expected] of Object.entries({
      'key=x': refused, 'version=1': refused, 'key=&version=1': refused, 'key=x&version=': refused,
      'key=x&version=-1': refused, 'key=x&version=1.5': refused, 'key=x&version=a': refused,
      'key=x&version=1': unknown, [`${ofKey}&version=0`]: unknown, [`${ofKey}&version=4`]: unknown,
      [`${ofKey}&version=99999999999999999999`]: unknown, [`${ofKey}&version=01`]: '200',
    })) expect([query, outcome(await get(below('/events/raw-event'), `&${query}`))]).toEqual([query, expected]);
  });

  it('are counted, distinct ones, by what is asked for', async () => {
    const report = async (query = '') => ok<Shown>(await get(below('/events-histories'), query));
    const whole = { userID: acme.id, clusterID: member.clusterUid, licenseID: licenceId };
    expect(await report(`&group=core.k8s.platform.dev&resource=genericresources&rid=${objectUid}`)).toEqual({
      ...whole, group: 'core.k8s.platform.dev', resource: 'genericresources', resourceID: objectUid, totalEvents: 3,
      eventsTimeHistories: sentAt.map((time) => `${time.slice(0, 19)}Z`), eventsDurationHours: 2, averageEventsPerHour: 1.5,
    });
    expect(await report()).toMatchObject({ group: '', resource: '', resourceID: '', totalEvents: 6 });
    expect(await report('&group=core')).toMatchObject({ group: 'core', totalEvents: 3 });
    expect(await report('&rid=none')).toEqual({
      ...whole, group: '', resource: '', resourceID: 'none', totalEvents: 0, eventsTimeHistories: [],
      eventsDurationHours: 0, averageEventsPerHour: 0,
    });
  });
});

describe('what is not there', () => {
  /** Every route below an account, and the part of its path that the test replaces. */
  const routes = () => [
    `users/${acme.id}/clusters`, `users/${acme.id}/clusters/active`, ofCluster(), `${ofCluster()}/licenses`,
    `${ofCluster()}/licenses/active`, ofLicence(), `${ofLicence()}/products`, below(), below('/resources'),
    below('/events-histories'), below('/events'), below(`/events/raw-event?key=${genericKey}&version=1`),
  ];
  const outcomesOf = async (from: string, to: string, http = admin) => {
    const found = routes().filter((path) => path.includes(from));
    const outcomes = await Promise.all(found.map(async (path) => {
      const [address, query] = path.replace(from, to).split('?');
      return outcome(await get(address!, query === undefined ? '' : `&${query}`, http));
    }));
    return [...new Set(outcomes)];
  };

  it('is 404, also when it is malformed', async () => {
    for (const unknown of ['4711', String(Number.MAX_SAFE_INTEGER)]) {
      expect(await outcomesOf(`users/${acme.id}`, `users/${unknown}`)).toEqual(['404 not_found']);
    }
    for (const unknown of [randomUUID(), 'main', '%00', quietCluster]) {
      const expected = unknown === '%00' ? '400 invalid_parameter' : '404 not_found';
      expect([unknown, await outcomesOf(`clusters/${member.clusterUid}`, `clusters/${unknown}`)]).toEqual([unknown, [expected]]);
    }
    expect(await outcomesOf(`licenses/${licenceId}`, 'licenses/1')).toEqual(['404 not_found']);
    expect(await outcomesOf(`products/${product}`, 'products/productvault')).toEqual(['404 not_found']);
    // The same paths below another account.
    expect(await outcomesOf(`users/${acme.id}/clusters/`, `users/${quiet.id}/clusters/`)).toEqual(['200', '404 not_found']);
  });

  it('is 400 where the account is no id', async () => {
    for (const bad of ['acme', '0', '01', '-1', '9007199254740992', '1.5']) {
      expect([bad, await outcomesOf(`users/${acme.id}`, `users/${bad}`)]).toEqual([bad, ['400 invalid_parameter']]);
    }
  });

  it('is no news for others than site admins', async () => {
    for (const uid of [acme.id, 4711, 'acme']) {
      expect(await outcomesOf(`users/${acme.id}`, `users/${uid}`, owner.http)).toEqual(['403 forbidden']);
      expect(await outcomesOf(`users/${acme.id}`, `users/${uid}`, world.nobody)).toEqual(['401 unauthenticated']);
    }
    for (const path of ['users', 'users/active', 'users/inactive', `clusters/${member.clusterUid}/licenses/active`]) {
      expect(outcome(await get(path, '', owner.http))).toBe('403 forbidden');
      expect(outcome(await admin.get(`/api/v1/dashboard/${path}`))).toBe('400 missing_org');
      expect(outcome(await admin.get(`/api/v1/dashboard/${path}?org=nobody`))).toBe('404 not_found');
    }
  });

  it('is the plain 404 where a fixed segment wins', async () => {
    const answer = await get('users/active/clusters');
    expect([answer.status, answer.json()]).toEqual([404, { message: 'Not Found' }]);
  });
});

describe('an event under a licence that is not known here', () => {
  it('makes product and cluster known, and no plan', async () => {
    const other = await world.member(stranger, 'scanner');
    await other.send({ uid: 'x', licenceId: 'foreign', time: ago(60), spec: { uid: 'spec-uid' } });
    const cluster = `users/${stranger.id}/clusters/${other.clusterUid}`;
    await until(async () => outcome(await get(cluster)) === '200', { what: 'the event has arrived' });
    expect(ok(await get(cluster))).toMatchObject({ id: 0, status: { phase: 'NotImported' } });
    expect(await list(`${cluster}/licenses`)).toEqual([]);
    expect(await list(`${cluster}/licenses/active`)).toMatchObject([{ licenseID: 'foreign' }]);
    expect(outcome(await get(`${cluster}/licenses/foreign`))).toBe('404 not_found');
    expect(await list(`${cluster}/licenses/foreign/products`)).toMatchObject([{ productName: 'scanner' }]);
    const histories = `${cluster}/licenses/foreign/products/scanner/events-histories`;
    expect(ok<Shown>(await get(histories, '&rid=spec-uid'))['totalEvents']).toBe(1);
    expect(userIds(await list('users'))).not.toContain(stranger.id);
    // The licence of the stranger is not found under this account.
    expect(outcome(await get(`${cluster}/licenses/${licenceId}`))).toBe('404 not_found');
  });
});

describe('a deleted account', () => {
  it('is no user any more', async () => {
    const leaver = await world.organization(owner);
    await licensed(leaver, randomUUID());
    const isThere = async () => userIds(await list('users')).includes(leaver.id);
    await until(isThere, { what: 'the account is there' });
    const [contract] = ok<{ id: number }[]>(await admin.get(`/api/v1/contracts?org=${leaver.username}`));
    checked(await admin.delete(`/api/v1/contracts/${contract!.id}`));
    checked(await owner.http.delete(`/api/v1/orgs/${leaver.username}`), 204);
    await until(async () => !await isThere(), { what: 'the account is gone' });
    expect(outcome(await get(`users/${leaver.id}/clusters`))).toBe('404 not_found');
  });
});

describe('imported clusters', () => {
  it('are in the same phase wherever they are shown, by imports and events', async () => {
    const fleet = await world.organization(owner);
    const [reporting, silent, lost, registered] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const { url, schema } = world.platform.databases['billing-dashboard'];
    await using billing = connect({ url, schema, applicationName: 'spec', maxConnections: 1 });
    // Pretend that events arrived at these times.
    await billing.execute(sql`
      insert into product_contact (owner_id, cluster_uid, licence_id, product_name, first_received_at, last_received_at)
      select ${fleet.id}, uid, 'one', ${product}, now() - age, now() - age
        from (values (${silent}::uuid, interval '12 minutes'), (${lost}::uuid, interval '31 days')) contact (uid, age)`);
    await using registry = await openRegistry();
    for (const uid of [reporting, silent, lost, registered]) {
      await registry.importCluster({
        owner: fleet.username, name: uid, kubeconfig: '', uid, hub: false, displayName: undefined, provider: undefined,
      }, specCall());
    }
    await (await world.member(fleet, product, reporting)).send({ uid: 'one', licenceId: 'one', time: ago(60) });
    const { id } = await world.contract(fleet.id);
    const expected = { [reporting]: 'Active', [silent]: 'NotConnected', [lost]: 'Lost', [registered]: 'Registered' };
    const phasesOf = (answer: HttpAnswer) => ok<readonly { uid: string; status: { phase: string } }[]>(answer)
      .map(({ uid, status }) => [uid, status.phase] as const);
    const ways = {
      contract: async () => phasesOf(await admin.get(`/api/v1/contracts/${id}/clusters/imported/non-associated`)),
      dashboard: async () => phasesOf(await get(`users/${fleet.id}/clusters`)),
      registry: async () => {
        const { answer } = await adminCommand(world.platform, ['cluster', 'list', '--owner', fleet.username]);
        return (answer as { clusters: { uid: string; phase: string }[] }).clusters
          .map(({ uid, phase }) => [uid, phase] as const);
      },
    };
    for (const [way, phases] of Object.entries(ways)) {
      const areShown = async () => isDeepStrictEqual(Object.fromEntries(await phases()), expected);
      await until(areShown, { what: `the phases of the ${way}` });
    }
  }, 90_000);
});
