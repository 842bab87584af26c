import { randomUUID } from 'node:crypto';
import { connect, sql } from '@platform/postgres';
import { until } from '@platform/testing';
import { ok } from '../contracts/contract-world.ts';
import type { ConsoleWorld } from './console-world.ts';

/** Things that contain hostile texts. */
export interface HostileThings {
  readonly org: string;
  readonly team: number;
  readonly contract: number;
  /** A contract of the site admin's own account. */
  readonly ownContract: number;
  /** A subscription of provider B. */
  readonly subscription: string;
}

const script = '<script>window.hostile=1</script><img src=x onerror="window.hostile=1">';
const rightToLeft = '\u202Eמעלה\u202C شركة';
/** A hostile text of the maximum length, without a place for a line break. */
const hostile = (most: number) => `${script}${rightToLeft} =1+1 🏢👩‍👩‍👧`.padEnd(most, 'W').slice(0, most).toWellFormed();

/** Puts hostile texts into every field that others can set: names, descriptions, tags, comments, values from agents. */
export async function makeHostile(world: ConsoleWorld): Promise<HostileThings> {
  const admin = world.siteAdmin.http;
  const mallory = await world.person(`mallory-${'m'.repeat(30)}`);
  ok(await mallory.http.send('PATCH', '/api/v1/user/settings', {
    json: { full_name: hostile(100), location: hostile(50), description: hostile(255) },
  }));
  ok(await mallory.http.post(`/api/v1/users/${mallory.username}/tokens`, { json: { name: hostile(100) } }), 201);
  const org = `evil-${'e'.repeat(30)}`;
  const { id } = await world.organization(mallory, {
    username: org, full_name: hostile(100), description: hostile(255), location: hostile(50),
  });
  const team = ok<{ id: number }>(await mallory.http.post(`/api/v1/orgs/${org}/teams`, {
    json: { name: 'T'.repeat(50), type: 'kubernetes', permission: 'read', description: hostile(255) },
  }), 201).id;
  await world.join(mallory, team, mallory);
  ok(await mallory.http.post(`/api/v1/authz/roles?org=${org}`, {
    json: { name: hostile(50), description: hostile(255), permissions: [], teamIDs: [team] },
  }), 201);
  const contract = await world.contract(id, { name: hostile(100), products: ['productdb'], allowOffline: true });
  ok(await admin.post(`/api/v1/contracts/${contract.id}/clusters`, {
    json: [{ cluster: randomUUID(), displayName: hostile(100), tags: [hostile(63)] }],
  }), 201);
  ok(await admin.post('/api/v1/dashboard/system-outages?org=administration', {
    json: { start: '2026-11-20T00:00:00Z', end: '2026-11-20T02:00:00Z', tags: [hostile(50)], comments: hostile(2_000) },
  }), 201);
  const ownContract = await world.contract(world.siteAdmin.id, { name: hostile(100), products: ['productdb'] });
  const subscription = 'h'.repeat(20);
  {
    const { url, schema } = world.platform.databases['marketplace-listener'];
    await using rows = connect({ url, schema, applicationName: 'spec', maxConnections: 1 });
    await rows.execute(sql`
      insert into subscription (public_id, marketplace, application_id, managed_resource_group)
      values (${subscription}, 'ProviderB', ${hostile(200)}, ${hostile(90)})`);
  }
  const { paris, acme } = world;
  await paris.send({ uid: hostile(200), time: new Date().toISOString() });
  const products = `/api/v1/dashboard/users/${acme.id}/clusters/${paris.clusterUid}/licenses/4711/products?org=acme`;
  const isThere = async () => (await admin.get(products)).status === 200;
  await until(isThere, { within: 30_000, what: 'the event has arrived' });
  return { org, team, contract: contract.id, ownContract: ownContract.id, subscription };
}
