import { randomUUID } from 'node:crypto';
import { type TestSmtp, testSmtp } from '@platform/mail/fixtures';
import { connect, type Database, sql } from '@platform/postgres';
import {
  type CreatedInstaller, type CreateInstallerRequest, InstallerAdminServiceService,
} from '@platform/proto/marketplace/v1/installer';
import { ContractOwnerServiceService, type ListedContract } from '@platform/proto/contracts/v1/owners';
import { type HttpAnswer, type HttpClient, rpcClient } from '@platform/testing';
import { documentedHttp } from '../documented.ts';
import { specCall } from '../operator.ts';
import type { Host, PlatformOptions } from '../platform.ts';
import { startWorld, type World } from '../orgs/world.ts';

/** Services that subscriptions need, besides the gateway. */
export const subscriptionHosts: readonly Host[] = [
  'orgs-teams', 'authz', 'contracts-licensing', 'marketplace-listener',
];

/** `sourceOfA` is an address from which provider A sends; `elsewhere` is not. */
const sourceOfA = '198.51.100.7';
export const elsewhere = '203.0.113.9';

/** Secrets of the marketplaces. */
export const secrets = { b: 'secret-of-provider-b', c: 'secret-of-provider-c' };
export const testInstaller = '0000000000000000test';
export const alertAddresses = ['one@example.org', 'two@example.org'];

/** A subscription in answers of the dashboard. */
export interface ShownSubscription {
  readonly subscriptionId: string;
  readonly marketplace: string;
  readonly state: string;
  readonly boundedInstallerId: string;
  readonly isRevocable: boolean;
  readonly subscriberId: number;
  readonly [field: string]: unknown;
}

/** An entry of the audit. */
export interface ShownEntry {
  readonly operationType: string;
  readonly status: string;
  readonly data: Record<string, unknown>;
  readonly [field: string]: unknown;
}

/** A marketplace deployment, with helpers to read its state. */
export interface SubscriptionWorld extends World {
  /** What the listener keeps. */
  readonly rows: Database;
  /** The database of contracts-licensing. */
  readonly contractRows: Database;
  readonly smtp: TestSmtp;
  /** The listener itself. */
  readonly listener: HttpClient;
  /** An installer; of a standalone organization unless an owner is given. */
  installer(marketplace: string, given?: Partial<CreateInstallerRequest>): Promise<CreatedInstaller>;
  /** Sends a notification to the listener. */
  notifyA(json: unknown, source?: string): Promise<HttpAnswer>;
  notifyB(json: unknown, secret?: string): Promise<HttpAnswer>;
  notifyC(json: unknown, secret?: string): Promise<HttpAnswer>;
  subscription(marketplace: string, id: string): Promise<ShownSubscription>;
  /** The subscription of an application at provider B; undefined if there is none. */
  ofApplication(applicationId: string): Promise<string | undefined>;
  revoke(marketplace: string, id: string): Promise<HttpAnswer>;
  /** The audit entries of a subscription, oldest first. */
  audit(marketplace: string, id: string): Promise<ShownEntry[]>;
  /** Contracts of a subscription, from the operator's list. */
  contracts(subscriptionId: string): Promise<ListedContract[]>;
  /** Numbers of the subscription's contracts; fast even if there are many other contracts. */
  contractCounts(subscriptionId: string): Promise<{ readonly active: number; readonly revoked: number }>;
}

/** Where nobody answers. */
const nobody = '127.0.0.1:1';

const base = '/marketplace/api/v1/marketplaces';
const org = 'org=administration';

export async function startSubscriptionWorld(
  type: 'A' | 'B' | 'C', { settings, hosts = subscriptionHosts, ...options }: PlatformOptions = {},
): Promise<SubscriptionWorld> {
  await using stack = new AsyncDisposableStack();
  const smtp = stack.use(await testSmtp({ disabledCommands: ['STARTTLS'] }));
  const world = stack.use(await startWorld({
    ...options, hosts,
    settings: {
      ...(hosts.includes('billing-dashboard') ? {} : { 'services.billingDashboard': nobody }),
      'services.clusters': nobody,
      'deployment.type': `Provider${type}Marketplace`, 'run.mode': 'test', 'mail.smtpURL': `smtp://${smtp.address}`,
      'http.trustedProxies': '127.0.0.1/32', 'marketplace.providera.allowedCIDRs': '198.51.100.0/24',
      'marketplace.providerb.secret': secrets.b, 'marketplace.providerc.secret': secrets.c,
      'marketplace.providerc.testInstallerId': testInstaller,
      'marketplace.alertEmails': alertAddresses.join(','), ...settings,
    },
  }));
  const { platform, siteAdmin } = world;
  const { url, schema } = platform.databases['marketplace-listener'];
  const rows = stack.use(connect({ url, schema, applicationName: 'spec', maxConnections: 3 }));
  const ofContracts = platform.databases['contracts-licensing'];
  const contractRows = stack.use(connect({
    url: ofContracts.url, schema: ofContracts.schema, applicationName: 'spec', maxConnections: 2,
  }));
  const { serviceCredential, grpc } = platform;
  const clientOf = { serviceCredential };
  const installers = stack.use(
    await rpcClient(InstallerAdminServiceService, grpc['marketplace-listener'].split(','), clientOf),
  );
  const owned = stack.use(
    await rpcClient(ContractOwnerServiceService, grpc['contracts-licensing'].split(','), clientOf),
  );
  const listener = documentedHttp(`http://${platform.services['marketplace-listener'].replicas[0].addresses['listener']!}`);
  const pathOf = (marketplace: string, id: string) => `/api/v1/dashboard/marketplaces/${marketplace}/${id}`;
  const made = stack.move();
  return {
    ...world, rows, contractRows, smtp, listener,
    installer: (marketplace, given = {}) =>
      installers.createInstaller({ marketplace, name: `installer-${randomUUID().slice(0, 8)}`, ...given }, specCall()),
    notifyA: (json, source = sourceOfA) => listener.post(`${base}/providera/notification/resource`, {
      json, headers: { 'x-forwarded-for': source },
    }),
    notifyB: (json, secret = secrets.b) =>
      listener.post(`${base}/providerb/notification/resource?secret=${secret}`, { json }),
    notifyC: (json, secret = secrets.c) =>
      listener.post(`${base}/providerc/notification/resource?secret=${secret}`, { json }),
    subscription: async (marketplace, id) => {
      const answer = await siteAdmin.http.get(`${pathOf(marketplace, id)}?${org}`);
      if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
      return answer.json<ShownSubscription>();
    },
    ofApplication: async (applicationId) => (await rows.maybeOne(sql<{ id: string }>`
      select public_id as "id" from subscription where lower(application_id) = lower(${applicationId})`))?.id,
    revoke: (marketplace, id) => siteAdmin.http.delete(`${pathOf(marketplace, id)}?${org}`),
    audit: async (marketplace, id) => {
      const answer = await siteAdmin.http.get(`${pathOf(marketplace, id)}/audit-logs?${org}`);
      if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
      const { auditReports } = answer.json<{ auditReports: Record<string, ShownEntry[]> }>();
      return Object.entries(auditReports).sort(([one], [other]) => (one < other ? 1 : -1))
        .flatMap(([, entries]) => entries).reverse();
    },
    contracts: async (subscriptionId) => {
      const { contracts } = await owned.listOwnedContracts({}, specCall());
      return contracts.filter(({ subscription }) => subscription === subscriptionId);
    },
    contractCounts: (subscriptionId) => contractRows.one(sql<{ active: number; revoked: number }>`
      select count(*) filter (where revoked_at is null) as "active",
             count(*) filter (where revoked_at is not null) as "revoked"
        from contract where subscription_id = ${subscriptionId}`),
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  };
}

/** A new application id at provider B. */
export function newApplication(): string {
  const [subscription, name] = [randomUUID(), randomUUID().slice(0, 8)];
  return `/subscriptions/${subscription}/resourceGroups/rg-${name}/providers/Vendor.Solutions/applications/${name}`;
}

/** Audit entries in short: `bind success`. */
export function short(entries: readonly ShownEntry[]): string[] {
  return entries.map(({ operationType, status }) => `${operationType} ${status}`);
}
