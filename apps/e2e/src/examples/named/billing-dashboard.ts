import { connect, sql } from '@platform/postgres';
import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import { rpcClient, until } from '@platform/testing';
import { specCall } from '../../operator.ts';
import type { World } from '../../orgs/world.ts';
import { reported } from '../../usage/usage-world.ts';
import type { ExampleOrganization } from '../example-world.ts';

const usageCluster = '9b7f3c2e-5d41-4e0a-a7c6-2f8e1d3b4a55';
const database = '5f1d3f7e-2f0a-4c55-9a0f-0d9c3a1b7e10';
const products = ['productdb', 'productbackup', 'productvault', 'productingress'];

/** What a database of each product used in January 2026, which never changes again, under a contract. */
export async function nameUsage(world: World, { names, organization }: ExampleOrganization): Promise<void> {
  const { platform: { grpc, serviceCredential, databases }, siteAdmin } = world;
  const [cluster, uid] = [names.text(usageCluster), names.text(database)];
  const json = {
    uid: organization.id, name: 'Databases', products: ['productdb'], start: 1_767_225_600, end: 4_102_444_800,
    enableClientBilling: true, clusters: [{ cluster, displayName: 'Usage' }],
  };
  const created = await siteAdmin.http.post('/api/v1/contracts', { json });
  if (created.status !== 201) throw new Error(created.text);
  names.ids(74, created.json<{ id: number }[]>().map(({ id }) => id));
  const addresses = grpc['billing-dashboard'].split(',');
  await using events = await rpcClient(EventAdminServiceService, addresses, { serviceCredential });
  await events.enterHistory({
    events: products.map((product) => ({
      subject: `events.s0.user.${organization.id}.k8s.${cluster}.product.${product}`,
      event: reported(product, {
        uid, time: '2026-01-05T00:00:00Z', cpu: '2', memory: '8Gi', mode: 'prod',
        namespace: { creationTimestamp: '2026-01-01T00:00:00Z' },
        spec: {
          pods: [{
            uid: 'pod-0', name: 'orders-0', creationTimestamp: '2026-01-05T00:00:00Z',
            containers: [{ name: 'postgres', resource: { limits: { cpu: '2', memory: '8Gi' } } }],
          }],
          storage: [{
            uid: 'claim-0', name: 'data-orders-0', creationTimestamp: '2026-01-05T00:00:00Z',
            resources: { requests: { storage: '10Gi' } },
          }],
        },
      }),
      repeatedUntil: '2026-01-06T22:00:00Z',
    })),
  }, specCall());
  const { url, schema } = databases['billing-dashboard'];
  await using rows = connect({ url, schema, applicationName: 'spec' });
  await until(async () => {
    const counted = await rows.query(sql`
      select from usage_segment where owner_id = ${organization.id} and contract_id > 0 and not exists (
        select from metered_object where due_from is not null
      )`);
    return counted.length > 0;
  }, { within: 60_000, what: 'the usage is counted' });
}
