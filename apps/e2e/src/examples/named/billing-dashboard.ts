import { connectBus, memberRequestSubject } from '@platform/bus';
import { connect, sql } from '@platform/postgres';
import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import { deadlineIn } from '@platform/service';
import { rpcClient, until } from '@platform/testing';
import { checked, ok } from '../../contracts/contract-world.ts';
import { specCall } from '../../operator.ts';
import type { World } from '../../orgs/world.ts';
import { reported, siteInfo } from '../../usage/reported.ts';
import type { ExampleOrganization } from '../names.ts';

const usageCluster = '9b7f3c2e-5d41-4e0a-a7c6-2f8e1d3b4a55';
const database = '5f1d3f7e-2f0a-4c55-9a0f-0d9c3a1b7e10';
const licence = '3141592653589793238';
const products = ['productdb', 'productbackup', 'productvault', 'productingress'];

/**
 * The use of a database of each product in January 2026, which is final, under a contract with a licence; and a bus
 * member that answers questions.
 */
export async function nameUsage(world: World, within: ExampleOrganization): Promise<void> {
  const { names, organization, owner } = within;
  const { platform: { grpc, serviceCredential, databases }, siteAdmin } = world;
  const [cluster, uid] = [names.text(usageCluster), names.text(database)];
  const json = {
    uid: organization.id, name: 'Databases', products: ['productdb'], start: 1_767_225_600, end: 4_102_444_800,
    enableClientBilling: true, clusters: [{ cluster, displayName: 'Usage' }],
  };
  const contracts = ok<{ id: number }[]>(await siteAdmin.http.post('/api/v1/contracts', { json }), 201);
  names.ids(74, contracts.map(({ id }) => id));
  checked(await owner.http.post(`/api/v1/license/issue?org=${organization.username}`, { json: { cluster } }));
  const licenceId = await licenceOf(world, cluster);
  names.openly(licence, licenceId);
  const addresses = grpc['billing-dashboard'].split(',');
  await using events = await rpcClient(EventAdminServiceService, addresses, { serviceCredential });
  const subjectOf = (product: string) => `events.s0.user.${organization.id}.k8s.${cluster}.product.${product}`;
  const [creationTimestamp, limits] = ['2026-01-05T00:00:00Z', { cpu: '2', memory: '8Gi' }];
  const containers = [{ name: 'postgres', resource: { limits } }];
  const resources = { requests: { storage: '10Gi' } };
  await events.enterHistory({
    events: products.map((product) => ({
      subject: subjectOf(product),
      event: reported(product, {
        uid, licenceId, time: creationTimestamp, ...limits, mode: 'prod',
        namespace: { creationTimestamp: '2026-01-01T00:00:00Z' },
        spec: {
          pods: [{ uid: 'pod-0', name: 'orders-0', creationTimestamp, containers }],
          storage: [{ uid: 'claim-0', name: 'data-orders-0', creationTimestamp, resources }],
        },
      }),
      repeatedUntil: '2026-01-06T22:00:00Z',
    })),
  }, specCall());
  const event = siteInfo('productdb', licenceId, new Date(Date.now() - 60_000).toISOString(), {
    kubernetes: { version: { gitVersion: 'v1.34.1' }, nodeStats: { count: 3 } },
  });
  await events.enterHistory({ events: [{ subject: subjectOf('productdb'), event, repeatedUntil: '' }] }, specCall());
  await using rows = connect({ ...databases['billing-dashboard'], applicationName: 'spec' });
  await until(async () => {
    const counted = await rows.query(sql`
      select from usage_segment where owner_id = ${organization.id} and contract_id > 0 and not exists (
        select from metered_object where due_from is not null
      ) and not exists (select from changed_terms)`);
    const licensed = await rows.query(sql`select from licence where cluster_uid = ${cluster}::uuid`);
    return counted.length > 0 && licensed.length > 0;
  }, { within: 60_000, what: 'the usage is counted' });
  await answerQuestions(world, within, cluster, licenceId);
}

async function licenceOf({ platform }: World, cluster: string): Promise<string> {
  await using rows = connect({ ...platform.databases['contracts-licensing'], applicationName: 'spec' });
  const { id } = await rows.one(sql<{ id: string }>`
    select id::text as "id" from licence where cluster_uid = ${cluster}::uuid`);
  return id;
}

/** Connects a member that has a history of one pod. */
async function answerQuestions(
  { operator }: World, { organization, bus, held }: ExampleOrganization, clusterUid: string, licenseID: string,
): Promise<void> {
  const { id: ownerId, username } = organization;
  const member = { clusterUid, productName: 'productdb' };
  const { creds: credentials } = await operator.admin.createBusAccount(
    { organization: username, ...member }, { ...specCall(), deadline: deadlineIn(30_000) },
  );
  const connection = held.use(await until(() => connectBus({ url: bus.access.url, credentials }, 5_000), {
    within: 20_000, what: 'the bus knows the member',
  }));
  const resourceID = { group: '', version: 'v1', name: 'pods', kind: 'Pod', scope: 'Namespaced' };
  const values = [{ resourceID, licenseID, version: 1, timestamp: 1_767_571_200 }];
  await connection.subscribe(memberRequestSubject({ ownerId, ...member }), ({ text, replyTo }) => {
    const { requestId } = JSON.parse(text) as { requestId: string };
    const items = [{ key: 'core/pods/5f1d3f7e-2f0a-4c55-9a0f-0d9c3a1b7e10', lastSeen: 1_767_650_400, values }];
    void connection.publish(replyTo!, JSON.stringify({ requestId, seq: 1, last: true, items }));
  });
}
