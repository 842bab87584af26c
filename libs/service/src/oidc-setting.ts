import { isLoopbackHost } from './address.ts';
import { Secret } from './secret.ts';
import type { Kind } from './setting-kinds.ts';

/** An OpenID Connect provider with which people sign in (open-points 18.3). */
export interface OidcProviderSetting {
  /** Used in paths: lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Name of the provider on the sign-in button. */
  readonly title: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly scopes: readonly string[];
  /** Whether e-mail addresses of this issuer are trusted even if the issuer does not mark them as verified. */
  readonly trustEmail: boolean;
  readonly groupsClaim: string | undefined;
  /** The teams to which groups of the provider are mapped. */
  readonly groups: readonly { readonly group: string; readonly organization: string; readonly team: string }[];
}

/** Issuers that many tenants share. Any of these tenants could claim any e-mail address. */
const manyTenants = /^https:\/\/login\.microsoftonline\.com\/(?:common|organizations|consumers)\//i;
const most = 20;

export const oidcProviders: Kind<readonly OidcProviderSetting[]> = {
  accepts: `a list of up to ${most} objects with name (unique; 1 to 40 lower-case letters, digits and -), title, `
    + 'issuer, clientID, clientSecret and, optionally, scopes (including openid), trustEmail, groupsClaim and, only '
    + 'with groupsClaim, groups (objects with group, organization and team). The issuer is the https address of '
    + 'one tenant; in run mode dev, it may be an http address on loopback',
  secret: true,
  list: true,
  structured: true,
  parse: (text) => {
    const given = readJson(text);
    if (!Array.isArray(given) || given.length > most) return undefined;
    const providers = given.map(providerOf).filter((one) => one !== undefined);
    const names = new Set(providers.map(({ name }) => name));
    return providers.length === given.length && names.size === given.length ? providers : undefined;
  },
};

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const keys = new Set([
  'name', 'title', 'issuer', 'clientID', 'clientSecret', 'scopes', 'trustEmail', 'groupsClaim', 'groups',
]);

function providerOf(given: unknown): OidcProviderSetting | undefined {
  if (!isObject(given) || Object.keys(given).some((key) => !keys.has(key))) return undefined;
  const { name, title, issuer, clientID, clientSecret, groupsClaim } = given;
  const { scopes = ['openid', 'email', 'profile'], trustEmail = false, groups = [] } = given;
  if (!isText(name) || !/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(name)) return undefined;
  if (!isText(title) || !isText(clientID) || !isText(clientSecret) || !isIssuer(issuer)) return undefined;
  if (!Array.isArray(scopes) || !scopes.every(isText) || !scopes.includes('openid')) return undefined;
  if (typeof trustEmail !== 'boolean' || (groupsClaim !== undefined && !isText(groupsClaim))) return undefined;
  if (!Array.isArray(groups) || (groups.length > 0 && groupsClaim === undefined)) return undefined;
  const mapped = groups.filter((one): one is OidcProviderSetting['groups'][number] =>
    isObject(one) && Object.keys(one).length === 3 && [one['group'], one['organization'], one['team']].every(isText));
  if (mapped.length !== groups.length) return undefined;
  return {
    name, title, issuer, clientId: clientID, clientSecret: new Secret(clientSecret), scopes, trustEmail, groupsClaim,
    groups: mapped,
  };
}

function isIssuer(given: unknown): given is string {
  if (!isText(given) || !URL.canParse(given) || manyTenants.test(given)) return false;
  const { protocol, hostname, search, hash, username } = new URL(given);
  if (search !== '' || hash !== '' || username !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

function isText(given: unknown): given is string {
  return typeof given === 'string' && given !== '' && given.length <= 1_000;
}
