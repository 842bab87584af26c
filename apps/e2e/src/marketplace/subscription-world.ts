import { randomUUID } from 'node:crypto';
import { testSmtp } from '@platform/mail/fixtures';
import { connect, sql } from '@platform/postgres';
import { type CreateInstallerRequest, InstallerAdminServiceService } from '@platform/proto/marketplace/v1/installer';
import { ContractOwnerServiceService } from '@platform/proto/contracts/v1/owners';
import { rpcClient } from '@platform/testing';
import { documentedHttp } from '../documented.ts';
import { specCall } from '../operator.ts';
import type { Host, PlatformOptions } from '../platform.ts';
import { ok } from '../contracts/contract-world.ts';
import { startWorld } from '../orgs/world.ts';
import { nobody } from './marketplace-world.ts';

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

export type SubscriptionWorld = Awaited<ReturnType<typeof startSubscriptionWorld>>;

const base = '/marketplace/api/v1/marketplaces';
const org = 'org=administration';

/** A marketplace deployment, with its databases (`rows` of the listener) and helpers to read its state. */
export async function startSubscriptionWorld(
  type: 'A' | 'B' | 'C', { settings, hosts = subscriptionHosts, ...options }: PlatformOptions = {},
) {
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
  const { platform: { databases, grpc, serviceCredential, services }, siteAdmin } = world;
  const connected = (service: 'marketplace-listener' | 'contracts-licensing') => {
    const { url, schema } = databases[service];
    return stack.use(connect({ url, schema, applicationName: 'spec', maxConnections: 3 }));
  };
  const [rows, contractRows] = [connected('marketplace-listener'), connected('contracts-licensing')];
  const [ofListener, ofContracts] = [grpc['marketplace-listener'].split(','), grpc['contracts-licensing'].split(',')];
  const installers = stack.use(await rpcClient(InstallerAdminServiceService, ofListener, { serviceCredential }));
  const owned = stack.use(await rpcClient(ContractOwnerServiceService, ofContracts, { serviceCredential }));
  const listener = documentedHttp(`http://${services['marketplace-listener'].replicas[0].addresses['listener']!}`);
  const notify = (provider: 'b' | 'c') => (json: unknown, secret = secrets[provider]) =>
    listener.post(`${base}/provider${provider}/notification/resource?secret=${secret}`, { json });
  const pathOf = (marketplace: string, id: string) => `/api/v1/dashboard/marketplaces/${marketplace}/${id}`;
  const made = stack.move();
  return {
    ...world, rows, contractRows, smtp, listener,
    /** An installer; of a standalone organization unless an owner is given. */
    installer: (marketplace: string, given: Partial<CreateInstallerRequest> = {}) =>
      installers.createInstaller({ marketplace, name: `installer-${randomUUID().slice(0, 8)}`, ...given }, specCall()),
    notifyA: (json: unknown, source = sourceOfA) =>
      listener.post(`${base}/providera/notification/resource`, { json, headers: { 'x-forwarded-for': source } }),
    notifyB: notify('b'), notifyC: notify('c'),
    subscription: async (marketplace: string, id: string) =>
      ok<ShownSubscription>(await siteAdmin.http.get(`${pathOf(marketplace, id)}?${org}`)),
    /** The subscription of an application at provider B; undefined if there is none. */
    ofApplication: async (applicationId: string) => (await rows.maybeOne(sql<{ id: string }>`
      select public_id as "id" from subscription where lower(application_id) = lower(${applicationId})`))?.id,
    revoke: (marketplace: string, id: string) => siteAdmin.http.delete(`${pathOf(marketplace, id)}?${org}`),
    /** The audit entries of a subscription, oldest first. */
    audit: async (marketplace: string, id: string) => {
      const { auditReports } = ok<{ auditReports: Record<string, ShownEntry[]> }>(
        await siteAdmin.http.get(`${pathOf(marketplace, id)}/audit-logs?${org}`),
      );
      return Object.entries(auditReports).sort(([one], [other]) => (one < other ? 1 : -1))
        .flatMap(([, entries]) => entries).reverse();
    },
    /** Contracts of a subscription, from the operator's list. */
    contracts: async (subscriptionId: string) => (await owned.listOwnedContracts({}, specCall())).contracts
      .filter(({ subscription }) => subscription === subscriptionId),
    /** Numbers of the subscription's contracts; fast even if there are many other contracts. */
    contractCounts: (subscriptionId: string) => contractRows.one(sql<{ active: number; revoked: number }>`
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
