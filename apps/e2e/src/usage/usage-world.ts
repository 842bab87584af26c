import { randomUUID } from 'node:crypto';
import { type BusConnection, connectBus, eventSubject } from '@platform/bus';
import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import { deadlineIn } from '@platform/service';
import { ownBus, type OwnBus, rpcClient, until } from '@platform/testing';
import { type ContractWorld, startContractWorld } from '../contracts/contract-world.ts';
import { specCall } from '../operator.ts';
import type { Organization, World } from '../orgs/world.ts';
import type { PlatformOptions } from '../platform.ts';

/** A running platform with a bus, and members that report what their clusters use. */
export interface UsageWorld extends ContractWorld {
  readonly bus: OwnBus;
  /** A member of an organization with credentials of its own. */
  member(organization: Pick<Organization, 'id' | 'username'>, product: string, uid?: string): Promise<UsageMember>;
  /** Enters events of any time. */
  enter(member: Pick<UsageMember, 'subject'>, events: readonly ReportedObject[]): Promise<void>;
}

export interface UsageMember {
  readonly clusterUid: string;
  readonly subject: string;
  readonly connection: BusConnection;
  /** Resolves when the bus has acknowledged the event, given as text or as an object. */
  send(event: ReportedObject | string): Promise<void>;
}

/** An event of a database; the rest has usual values. */
export interface ReportedObject {
  readonly uid: string;
  readonly licenceId?: string;
  readonly generation?: number;
  readonly action?: 'created' | 'updated' | 'deleted';
  readonly time: string;
  /** History: it was repeated each hour until then. */
  readonly repeatedUntil?: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly mode?: string;
  readonly kind?: string;
  readonly namespace?: Readonly<Record<string, unknown>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A SiteInfo of a product under a licence (open-points 8.2). */
export function siteInfo(productName: string, licenceId: string, time: string, resource: object): string {
  const resourceID = { group: '', version: 'v1', name: 'siteinfos', kind: 'SiteInfo', scope: 'Cluster' };
  const subject = `site-${productName}`;
  return JSON.stringify({
    specversion: '1.0', id: `${subject}.${Date.parse(time)}`, subject, time, type: 'dev.platform.resource.updated.v1',
    source: `/platform.dev/auditor/${licenceId}/feature/${productName}//siteinfos`,
    data: {
      licenseID: licenceId, resourceID,
      resource: { kind: 'SiteInfo', metadata: { name: `${licenceId}.${productName}` }, ...resource },
    },
  });
}

/** A CloudEvent as member agents send it (open-points 13.2). */
export function reported(product: string, object: ReportedObject): string {
  const { uid, generation = 1, action = 'created', time, mode, kind = 'Postgres' } = object;
  const { cpu = '500m', memory = '1Gi', licenceId = '4711' } = object;
  const namespace = { name: 'demo', uid: '0d6f1c52-98a1-4a54-a8f5-6a1d2c7b9e03', ...object.namespace };
  const resourceID = {
    group: 'core.k8s.platform.dev', version: 'v1alpha1', name: 'genericresources', kind: 'GenericResource',
    scope: 'Namespaced',
  };
  return JSON.stringify({
    specversion: '1.0',
    id: `${uid}.${generation}`,
    source: `/platform.dev/auditor/${licenceId}/feature/${product}/${resourceID.group}/${resourceID.name}`,
    subject: uid,
    type: `dev.platform.resource.${action}.v1`,
    time,
    data: {
      licenseID: licenceId,
      resourceID,
      resource: {
        apiVersion: 'core.k8s.platform.dev/v1alpha1',
        kind: 'GenericResource',
        metadata: { name: 'orders', namespace: namespace.name, uid, generation },
        spec: {
          apiType: { group: 'kubedb.com', version: 'v1', name: 'databases', kind, scope: 'Namespaced' },
          name: 'orders', uid, replicas: 3, namespace, ...(mode === undefined ? {} : { mode }),
          totalResource: { limits: { cpu, memory } }, ...object.spec,
        },
      },
    },
  });
}

/** A member of an organization, with credentials of its own. */
export async function openMember(
  { operator }: Pick<World, 'operator'>, bus: OwnBus, { id: ownerId, username }: Pick<Organization, 'id' | 'username'>,
  productName: string, clusterUid: string = randomUUID(),
): Promise<UsageMember> {
  const { creds } = await operator.admin.createBusAccount(
    { organization: username, clusterUid, productName }, { ...specCall(), deadline: deadlineIn(30_000) },
  );
  const connection = await until(() => connectBus({ url: bus.access.url, credentials: creds }, 5_000), {
    within: 20_000, what: 'the bus knows the member',
  });
  const subject = eventSubject({ ownerId, clusterUid, productName }, 1);
  const send = async (event: ReportedObject | string) => {
    const text = typeof event === 'string' ? event : reported(productName, event);
    await until(() => connection.request(subject, text, 5_000).then(() => true), {
      within: 20_000, what: 'the bus takes the event',
    });
  };
  return { clusterUid, subject, connection, send };
}

export async function startUsageWorld(options: Pick<PlatformOptions, 'hosts'> = {}): Promise<UsageWorld> {
  const bus = await ownBus();
  const world = await startContractWorld({ ...options, settings: bus.settings });
  const { grpc, serviceCredential } = world.platform;
  const events = await rpcClient(EventAdminServiceService, grpc['billing-dashboard'].split(','), { serviceCredential });
  const connections: BusConnection[] = [];
  return {
    ...world,
    bus,
    member: async (organization, productName, clusterUid) => {
      const member = await openMember(world, bus, organization, productName, clusterUid);
      connections.push(member.connection);
      return member;
    },
    enter: async ({ subject }, objects) => {
      const product = subject.split('.').at(-1)!;
      await events.enterHistory({
        events: objects.map(({ repeatedUntil = '', ...object }) => ({
          subject, event: reported(product, object), repeatedUntil,
        })),
      }, { ...specCall(), deadline: deadlineIn(30_000) });
    },
    [Symbol.asyncDispose]: async () => {
      for (const connection of connections) await connection[Symbol.asyncDispose]();
      await events[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
