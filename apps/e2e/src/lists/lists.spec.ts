import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { documentPath, isArrayAnswer } from '@platform/openapi';
import { readImage } from '@platform/proto/image';
import { type Method, readSurface } from '@platform/surface';
import type { HttpAnswer, HttpClient } from '@platform/testing';
import { connect, sql } from '@platform/postgres';
import { type OwnHub, ownHub } from '../clusters/own-hub.ts';
import { ok } from '../contracts/contract-world.ts';
import { outcome } from '../orgs/world.ts';
import { type RunningPlatform, startPlatform } from '../platform.ts';

const lists = readSurface(await readImage()).methods.filter((method) => method.http && isArrayAnswer(method));
const named = lists.filter(({ rest }) => rest.paged).map((method) => [method.fullName, method] as const);
const largestUnpaged = 2;
let platform: RunningPlatform, client: HttpClient, hub: OwnHub;
/** Values for the path and query fields of lists. */
let values: Record<string, string | number>;
/** Values for lists of contracts, where they differ. */
let ofContracts: Record<string, string | number>;
/** The webhook endpoints, by service. */
let ofWebhooks: Record<string, number>;

beforeAll(async () => {
  platform = await startPlatform({ settings: { 'lists.largestUnpaged': String(largestUnpaged) } });
  client = platform.http.with({ authorization: `Bearer ${platform.adminToken}` });
  const made = async (path: string, json: object) => ok<{ id: number }>(await client.post(path, { json }), 201);
  await made('/api/v1/orgs', { username: 'acme' });
  const permissions = [{ namespace: 'team_mgmt', action: 'view teams' }];
  const role = await made('/api/v1/authz/roles?org=acme', { name: 'readers', permissions });
  const [team] = (await client.get('/api/v1/orgs/acme/teams')).json<{ id: number }[]>();
  hub = await ownHub();
  await hub.importInto(platform, 'acme', 'hub');
  const bound = randomUUID();
  const json = {
    name: 'three', products: ['platform', 'productdb', 'productbackup'], end: 4_000_000_000, allowOffline: true,
    clusters: [bound, randomUUID(), randomUUID()].map((cluster) => ({ cluster })),
  };
  const [contract] = ok<{ id: number }[]>(await client.post('/api/v1/contracts?org=acme', { json }), 201);
  ofContracts = { id: contract!.id, clusterID: bound };
  const webhook = { url: 'https://hooks.example.org/', events: ['role.deleted'], active: false };
  ofWebhooks = {
    WebhookService: (await made('/api/v1/orgs/acme/webhooks', webhook)).id,
    SiteWebhookService: (await made('/api/v1/admin/webhooks', webhook)).id,
  };
  const [member] = (await client.get(`/api/v1/teams/${team!.id}/members`)).json<{ login: string }[]>();
  values = {
    org: 'acme', orgname: 'acme', teamid: team!.id, id: role.id, username: member!.login,
    owner: 'acme', cluster: 'hub', clusterset: 'global', ...await customerOf(platform),
  };
}, 120_000);
afterAll(async () => hub?.[Symbol.asyncDispose]());

/** A product that reports under a licence of a cluster, for the lists of the dashboard. */
async function customerOf({ databases }: RunningPlatform): Promise<Record<string, string | number>> {
  const { url, schema } = databases['billing-dashboard'];
  await using rows = connect({ url, schema, applicationName: 'spec' });
  const [uid, cid] = [9_000_000_000, randomUUID()];
  await rows.execute(sql`insert into account (id, slug, kind) values (${uid}, 'customer', 'user')`);
  await rows.execute(sql`
    insert into product_contact (owner_id, cluster_uid, licence_id, product_name, first_received_at, last_received_at)
    select ${uid}::bigint, ${cid}::uuid, 'licence ' || one % 3, 'product ' || one, now(), now()
      from generate_series(1, 9) one`);
  return { uid, cid, lid: 'licence 1', productName: 'product 1' };
}

/** The address of a list with its required query. */
function addressOf(method: Method): string {
  const value = (field: string) => {
    const isOfContracts = method.fullName.startsWith('controlplane.contracts.');
    const webhook = field === 'id' ? ofWebhooks[method.fullName.split('.')[3]!] : undefined;
    const found = webhook ?? (isOfContracts ? ofContracts[field] : undefined) ?? values[field];
    if (found === undefined) throw new Error(`${method.fullName}: say in lists.spec.ts what stands for ${field}`);
    return encodeURIComponent(found);
  };
  const path = documentPath(method).replace(/\{(\w+)\}/g, (_, field: string) => value(field));
  return method.input.fields.some(({ name }) => name === 'org') ? `${path}?org=${value('org')}&` : `${path}?`;
}

/** Page numbers of the header Link by their relation. */
function linksOf(answer: HttpAnswer): Record<string, { page: number; size: number; url: string }> {
  const links = [...(answer.header('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, url, relation]) => {
    const { searchParams } = new URL(url!);
    const size = Number(searchParams.get('limit') ?? searchParams.get('per_page'));
    return [relation!, { page: Number(searchParams.get('page')), size, url: url! }];
  }));
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

describe('lists', () => {
  it('are all in pages', () => {
    expect(lists.filter(({ rest }) => !rest.paged).map(({ fullName }) => fullName)).toEqual([]);
  });
});

describe.each(named)('%s', (_name, method) => {
  const size = method.input.fields.some(({ name }) => name === 'per_page') ? 'per_page' : 'limit';
  const whole = async () => {
    const address = addressOf(method);
    const items: unknown[] = [];
    for (let next: string | undefined = address; next !== undefined;) {
      const answer = await client.get(next);
      const part = answer.json<unknown[]>();
      items.push(...part);
      const links = linksOf(answer);
      expect([answer.status, part.length <= largestUnpaged, Object.keys(links)]).toEqual([200, true, links['next'] ? ['next'] : []]);
      if (!links['next']) expect(answer.header('x-total-count')).toBe(String(items.length));
      next = links['next'] && pathOf(links['next'].url);
    }
    return { items, address };
  };

  it('begins at its start without page and limit, and with both 0', async () => {
    const { items, address } = await whole();
    for (const query of ['page=0', `${size}=0`, `page=0&${size}=0`]) {
      const answer = await client.get(address + query);
      expect([answer.status, answer.json()]).toEqual([200, items.slice(0, largestUnpaged)]);
      expect(answer.header('x-total-count')).toBe(String(items.length));
    }
  });

  it.each(['x', '41', 'WyJ4Il0x', '%5B%5D'])('refuses after=%s', async (after) => {
    expect(outcome(await client.get(`${addressOf(method)}after=${after}`))).toBe('400 invalid_parameter');
  });

  it('joins from its pages', async () => {
    const { items, address } = await whole();
    const joined: unknown[] = [];
    for (let page: number | undefined = 1; page !== undefined; ) {
      const answer: HttpAnswer = await client.get(`${address}page=${page}&${size}=2`);
      expect([answer.status, answer.header('x-total-count')]).toEqual([200, String(items.length)]);
      joined.push(...answer.json<unknown[]>());
      const links = linksOf(answer);
      const last = Math.max(1, Math.ceil(items.length / 2));
      const ways = [...(page < last ? ['next', 'last'] : []), ...(page > 1 ? ['first', 'prev'] : [])];
      expect(Object.keys(links)).toEqual(ways);
      page = links['next']?.page;
    }
    expect(joined).toEqual(items);
  });

  it('is empty past its end, and shows the way back', async () => {
    const { items, address } = await whole();
    const answer = await client.get(`${address}page=1000&${size}=51`);
    const links = linksOf(answer);
    expect([answer.status, answer.json(), Object.keys(links)]).toEqual([200, [], ['first', 'prev']]);
    // A page size above 50 counts as 50.
    expect(links['prev']).toMatchObject({ page: Math.max(1, Math.ceil(items.length / 50)), size: 50 });
    // The largest page number.
    const farthest = await client.get(`${address}page=${2 ** 31 - 1}&${size}=50`);
    expect([farthest.status, farthest.json()]).toEqual([200, []]);
  });

  it('keeps other parameters in its links, and drops tokens', async () => {
    const { address } = await whole();
    const token = platform.adminToken;
    const answer = await platform.http.get(`${address}page=2&${size}=1&kept=%20a&token=${token}&access_token=${token}`);
    const { first } = linksOf(answer);
    expect([answer.status, answer.header('link')?.includes(token)]).toEqual([200, false]);
    expect(first!.url).toContain('kept=%20a');
    expect(first!.url).not.toMatch(/token=/);
  });

  it.each([['page', '-1'], ['limit', '-1'], ['page', 'x'], ['limit', '1.5'], ['page', ''], ['page', '1&page=2']])(
    'refuses %s=%s', async (name, value) => {
      const answer = await client.get(`${addressOf(method)}${name === 'limit' ? size : name}=${value}`);
      expect(outcome(answer)).toBe('400 invalid_parameter');
    },
  );
});
