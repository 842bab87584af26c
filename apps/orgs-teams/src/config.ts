import { filePicks } from '@platform/files';
import { leasePicks } from '@platform/leases';
import { listPicks } from '@platform/lists';
import { mailPicks } from '@platform/mail';
import { postgresPicks } from '@platform/postgres';
import { rpcPicks } from '@platform/rpc';
import {
  addressPicks, baseUrlOf, baseUrlPicks, type Config as Picked, type ConfigSource, environmentName, optional,
  readConfig as read, servicePicks, type SettingsRule,
} from '@platform/service';

export const picks = {
  ...servicePicks, ...postgresPicks, ...rpcPicks, ...filePicks, ...addressPicks, ...listPicks, ...baseUrlPicks,
  ...mailPicks, ...leasePicks,
  offlineInstaller: 'deployment.offlineInstaller',
  authz: 'services.authz',
  encryptionKeys: 'secrets.encryptionKeys',
  tokenKey: 'secrets.tokenKey',
  adminToken: optional('secrets.adminToken'),
  allowCreate: 'orgs.allowCreate',
  organizationsPerOwner: 'orgs.perOwner',
  teamsPerOrganization: 'orgs.teamsPerOrganization',
  administrative: 'orgs.administrative',
  auditKeep: 'audit.keep',
  oidc: optional('auth.oidc'),
  sessionIdle: 'auth.sessionIdle',
  sessionLongest: 'auth.sessionLongest',
  defaultLifetime: 'tokens.defaultLifetime',
  longestLifetime: 'tokens.longestLifetime',
  rolesPerTeam: 'limits.rolesPerTeam',
  teamsPerRole: 'limits.teamsPerRole',
  lookupUrl: optional('avatars.lookupURL'),
  natsSystemCredentials: optional('nats.systemCredentials'),
  natsAccountSeed: optional('nats.accountSeed'),
  natsOperatorSeed: optional('nats.operatorSeed'),
  busShards: 'bus.shards',
  webhookNetworks: 'webhooks.allowedCIDRs',
  webhookCa: 'webhooks.ca',
  webhookTimeout: 'webhooks.timeout',
} as const;

export type Config = Omit<Picked<typeof picks>, 'baseUrl' | 'httpPort' | 'mailDomain'> & {
  /** Address of the platform (`{base_url}` in open-points), without a slash at the end. */
  readonly baseUrl: string;
  /** Viewers who may not see a user's e-mail address see `{user}@noreply.{mailDomain}` (open-points 1.10). */
  readonly mailDomain: string;
};

/** Providers of OpenID Connect may be called over plain HTTP in run mode `dev` only. */
const issuerRule: SettingsRule = (given, valueOf) => {
  if (valueOf('run.mode') === 'dev') return [];
  const where = given('auth.oidc') ?? environmentName('auth.oidc');
  const accepts = 'only https outside run mode dev';
  return (valueOf('auth.oidc') ?? []).filter(({ issuer }) => issuer.startsWith('http:')).map(({ name }) => (
    { key: 'auth.oidc', where, found: `the issuer of ${name} has an http address`, accepts }
  ));
};

/** Reads the settings of this service. @throws ConfigError that lists all mistakes */
export function readConfig(source: ConfigSource): Config {
  const { baseUrl: given, httpPort, mailDomain, ...rest } = read(picks, { rule: issuerRule, ...source });
  const baseUrl = baseUrlOf({ baseUrl: given, httpPort });
  return { ...rest, baseUrl, mailDomain: mailDomain ?? new URL(baseUrl).hostname };
}
