import { randomUUID } from 'node:crypto';
import { type BusConnection, connectBus, eventSubject } from '@platform/bus';
import { connect, type Database, sql } from '@platform/postgres';
import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import { deadlineIn } from '@platform/service';
import { ownBus, type OwnBus, rpcClient, until } from '@platform/testing';
import { type ContractWorld, startContractWorld } from '../contracts/contract-world.ts';
import { specCall } from '../operator.ts';
import type { Organization, World } from '../orgs/world.ts';
import { organizationHosts, type PlatformOptions } from '../platform.ts';
import { reported, type ReportedObject } from './reported.ts';

export const usageHosts = [...organizationHosts, 'clusters', 'contracts-licensing', 'billing-dashboard'] as const;

/** A running platform with a bus, and helpers to add members that report the usage of their clusters. */
export interface UsageWorld extends ContractWorld {
  readonly bus: OwnBus;
  readonly billing: Database;
  /** A member of an organization with credentials of its own. */
  member(organization: Pick<Organization, 'id' | 'username'>, product: string, uid?: string): Promise<UsageMember>;
  /** Inserts events with any time, past the bus. */
  enter(member: Pick<UsageMember, 'subject'>, events: readonly ReportedObject[]): Promise<void>;
}

export interface UsageMember {
  readonly clusterUid: string;
  readonly subject: string;
  readonly connection: BusConnection;
  /** Content of the member's `.creds` file. */
  readonly credentials: string;
  /** Resolves when the bus has acknowledged the event, given as text or as an object. */
  send(event: ReportedObject | string): Promise<void>;
}

/** Content of a `.creds` file for a product in a cluster of an organization. */
export async function credentialsOf(
  { admin }: World['operator'], organization: string, clusterUid: string, productName: string,
): Promise<string> {
  const call = { ...specCall(), deadline: deadlineIn(30_000) };
  return (await admin.createBusAccount({ organization, clusterUid, productName }, call)).creds;
}

/** A member of an organization, with credentials of its own. */
export async function openMember(
  { operator }: Pick<World, 'operator'>, bus: OwnBus, { id: ownerId, username }: Pick<Organization, 'id' | 'username'>,
  productName: string, clusterUid: string = randomUUID(),
): Promise<UsageMember> {
  const credentials = await credentialsOf(operator, username, clusterUid, productName);
  const open = () => connectBus({ url: bus.access.url, credentials }, 5_000);
  const connection = await until(open, { within: 20_000, what: 'the bus knows the member' });
  const subject = eventSubject({ ownerId, clusterUid, productName }, 1);
  const send = async (event: ReportedObject | string) => {
    const text = typeof event === 'string' ? event : reported(productName, event);
    const take = () => connection.request(subject, text, 5_000).then(() => true);
    await until(take, { within: 20_000, what: 'the bus takes the event' });
  };
  return { clusterUid, subject, connection, credentials, send };
}

/** @param options.direct services reach the bus past its proxy, which carries all messages through this process */
export async function startUsageWorld(
  options: Pick<PlatformOptions, 'hosts' | 'postgres' | 'ownProcess' | 'settings'> & { readonly direct?: boolean } = {},
): Promise<UsageWorld> {
  const bus = await ownBus();
  const address = options.direct ? { 'nats.url': bus.access.url } : {};
  const settings = { ...bus.settings, ...address, 'bus.shares.eventsPerSecond': '100000', ...options.settings };
  const world = await startContractWorld({ ...options, settings });
  const { grpc, serviceCredential, databases } = world.platform;
  const { url, schema } = databases['billing-dashboard'];
  const billing = connect({ url, schema, applicationName: 'spec', maxConnections: 2 });
  const events = await rpcClient(EventAdminServiceService, grpc['billing-dashboard'].split(','), { serviceCredential });
  const connections: BusConnection[] = [];
  return {
    ...world, bus, billing,
    member: async (organization, productName, clusterUid) => {
      const member = await openMember(world, bus, organization, productName, clusterUid);
      connections.push(member.connection);
      return member;
    },
    enter: async ({ subject }, objects) => {
      const product = subject.split('.').at(-1)!;
      const entered = objects.map(({ repeatedUntil = '', ...object }) =>
        ({ subject, event: reported(product, object), repeatedUntil }));
      await events.enterHistory({ events: entered }, { ...specCall(), deadline: deadlineIn(30_000) });
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of [...connections, events, billing, world]) await one[Symbol.asyncDispose]();
    },
  };
}

/** Whether the usage of all events that are stored is counted. */
export async function isRenewed(rows: Database): Promise<boolean> {
  const { renewed } = await rows.one(sql<{ renewed: boolean }>`
    select not exists (select from metered_object where due_from is not null)
           and not exists (select from changed_terms) as "renewed"`);
  return renewed;
}
