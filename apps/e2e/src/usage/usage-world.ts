import { randomUUID } from 'node:crypto';
import { type BusConnection, connectBus, eventSubject } from '@platform/bus';
import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import { deadlineIn } from '@platform/service';
import { ownBus, type OwnBus, rpcClient, until } from '@platform/testing';
import { type ContractWorld, startContractWorld } from '../contracts/contract-world.ts';
import { specCall } from '../operator.ts';
import type { Organization, World } from '../orgs/world.ts';
import type { PlatformOptions } from '../platform.ts';
import { reported, type ReportedObject } from './reported.ts';

/** A running platform with a bus, and helpers to add members that report the usage of their clusters. */
export interface UsageWorld extends ContractWorld {
  readonly bus: OwnBus;
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
  return { clusterUid, subject, connection, credentials: creds, send };
}

/** @param options.direct services reach the bus past its proxy, which carries all messages through this process */
export async function startUsageWorld(
  options: Pick<PlatformOptions, 'hosts' | 'postgres' | 'ownProcess' | 'settings'> & { readonly direct?: boolean } = {},
): Promise<UsageWorld> {
  const bus = await ownBus();
  const settings = {
    ...bus.settings, ...(options.direct ? { 'nats.url': bus.access.url } : {}), 'bus.shares.eventsPerSecond': '100000',
    ...options.settings,
  };
  const world = await startContractWorld({ ...options, settings });
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
