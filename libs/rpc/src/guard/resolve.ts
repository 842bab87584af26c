import type { Caller, GetStandingRequest, OrganizationStanding, Standing } from '@platform/proto/orgs/v1/identity';
import { AccountKind } from '@platform/proto/orgs/v1/identity';
import type { AccessRule, AccountSource, NamedObject, ObjectInBody } from '@platform/surface';
import type { Account, IncomingCall, OutgoingContext } from '../call-context.ts';
import { Fault, notFound } from '@platform/faults';
import { type FoundObject, type GuardSources, standingNow } from './guard-sources.ts';
import { refuseWithoutScope } from './scopes.ts';

interface Resolved {
  caller: Caller | undefined;
  /** Undefined if the access rule names no account. */
  account: Account | undefined;
  /** The object whose owner is the account, if the account source is `object`; otherwise undefined. */
  object: FoundObject | undefined;
}

type Request = Readonly<Record<string, unknown>>;

/**
 * Authenticates the caller and finds the acting account (steps 2 and 4 of open-points 1.5).
 * @param countsAs number of requests to count towards the caller's rate; 0 if they have been counted before
 */
export async function resolve(
  sources: GuardSources, access: AccessRule, request: Request, call: IncomingCall, countsAs: number,
): Promise<Resolved> {
  const right = access.right === undefined ? {} : { right: access.right.number };
  const scope = scopeOf(access, request);
  const asked = { token: call.token ?? '', ...counting(countsAs), slugs: [], organizationIds: [], ...right, ...scope };
  const source = access.account;
  if (!source) {
    const { caller } = await authenticate(sources, access, asked, call);
    return { caller, account: undefined, object: undefined };
  }
  if (source.from === 'object') {
    const object = await findObject(sources, source.object, request, undefined, call);
    const organizationIds = object ? [object.ownerId] : [];
    const { caller, organizations } = await authenticate(sources, access, { ...asked, organizationIds }, call);
    const standing = organizations.find(({ id }) => id === object?.ownerId);
    const account = standing && accountOf(standing, source, true);
    if (!object || !account) throw notFound(`${source.object.type} not found`);
    if (belongsTo(account, caller)) return { caller, account, object };
    const isHidden = source.stranger === 'NOT_FOUND';
    const text = isHidden ? `${source.object.type} not found` : `only members of ${account.name} may do this`;
    throw new Fault(source.stranger, text);
  }
  const name = String(request[source.field] ?? '');
  if (name === '' && source.ownerOf) return await ownerOf(sources, access, source.ownerOf, request, asked, call);
  // If the name is absent and optional, also ask for the caller's own organization. For a system admin, this saves a
  // second call.
  const wanted = name === '' ? { ownOrganization: source.optional } : { slugs: [name] };
  const { caller, organizations } = await authenticate(sources, access, { ...asked, ...wanted }, call);
  const account = source.optional && namesCaller(name, caller)
    ? await ownAccount(sources, caller, organizations, name !== '', call)
    : namedAccount(source, name, organizations[0]);
  return { caller, account, object: undefined };
}

/** Reads the caller's standing, and refuses a token without the needed scope (open-points 18.2). @throws Fault */
export async function authenticate(
  sources: GuardSources, { tokenScope }: AccessRule, asked: GetStandingRequest, call: OutgoingContext,
): Promise<Standing> {
  const standing = await sources.standing(asked, call);
  if (standing.caller && tokenScope !== undefined) refuseWithoutScope(standing.caller, tokenScope);
  return standing;
}

async function ownerOf(
  sources: GuardSources, access: AccessRule, { type, message, field }: ObjectInBody, request: Request,
  asked: GetStandingRequest, call: IncomingCall,
): Promise<Resolved> {
  const { caller } = await authenticate(sources, access, asked, call);
  if (call.bodyFault) throw call.bodyFault;
  const given = (request[message] as Request | undefined)?.[field] as string | number | undefined;
  const key = given || (type === 'cluster' && caller?.tokenClusterUid);
  if (!key) throw new Fault('INVALID_VALUE', `the request names neither a ${type} nor an account`);
  const object = await sources.objects[type]!({ keys: [key], accountId: undefined }, call);
  if (!object) throw notFound(`${type} not found`);
  // Read the caller again together with the owner, so that the decision is based on one state of the rows.
  const again = { ...asked, ...counting(0), organizationIds: [object.ownerId] };
  const { caller: callerNow, organizations } = await sources.standing(again, call);
  const standing = organizations.find(({ id }) => id === object.ownerId);
  const account = standing && accountOf({ ...standing, visible: true }, access.account!, false);
  if (!account) throw notFound(`${type} not found`);
  return { caller: callerNow, account, object: undefined };
}

/**
 * Returns the fields of GetStandingRequest that say how many requests to count. Older versions of orgs-teams ignore
 * `countsAs`.
 */
export function counting(countsAs: number): Pick<GetStandingRequest, 'countsRequest' | 'countsAs'> {
  return { countsRequest: countsAs > 0, countsAs };
}

const uuids = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

/** Returns the scope that a bound token must have, with UUIDs in lower case. `{}`: bound tokens are refused. */
export function scopeOf({ scope: template }: AccessRule, request: Request): { readonly scope?: string } {
  if (template === undefined) return {};
  const scope = template.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(request[field] ?? ''));
  return { scope: scope.replaceAll(uuids, (uuid) => uuid.toLowerCase()) };
}

/** Whether the caller is the account itself, its member or its system admin. Always true for a site admin. */
export function belongsTo(account: Account, caller: Caller | undefined): boolean {
  if (caller?.isAdmin) return true;
  return account.kind === 'user' ? account.id === caller?.id : account.standing.principals.length > 0;
}

export async function findObject(
  sources: GuardSources, { type, fields, withinAccount }: NamedObject, request: Request,
  account: Account | undefined, call: IncomingCall,
): Promise<FoundObject | undefined> {
  const keys = fields.map((field) => (request[field] ?? '') as string | number);
  if (keys.some((key) => key === '' || key === 0)) return undefined;
  return sources.objects[type]!({ keys, accountId: withinAccount ? account?.id : undefined }, call);
}

function namesCaller(name: string, caller: Caller | undefined): caller is Caller {
  return caller !== undefined && (name === '' || name.toLowerCase() === caller.login.toLowerCase());
}

/** Returns the caller's own account: the user, or the organization for an organization's token. */
async function ownAccount(
  sources: GuardSources, caller: Caller, organizations: readonly OrganizationStanding[], named: boolean,
  call: IncomingCall,
): Promise<Account> {
  const { id, login, systemAdminOf } = caller;
  if (systemAdminOf === 0) return { kind: 'user', id, name: login, named };
  const standing = organizations.find((candidate) => candidate.id === systemAdminOf)
    ?? (await standingNow(sources, systemAdminOf, call));
  // The organization has been deleted meanwhile, together with the token.
  if (!standing) throw new Fault('UNAUTHENTICATED', 'invalid token');
  return { kind: 'organization', id: standing.id, name: standing.slug, named, standing };
}

/** Returns the acting account that the request names (open-points 1.4). */
function namedAccount(
  source: AccountSource & { from: 'slug' }, name: string, standing: OrganizationStanding | undefined,
): Account {
  if (name === '') {
    const message = `must name ${source.orUser ? 'an account' : 'an organization'}`;
    const violations = [{ path: source.field, message }];
    throw new Fault('MISSING_ORG', `the parameter ${source.field} ${message}`, { violations });
  }
  const account = standing && accountOf(standing, source, true);
  if (!account) throw notFound(source.orUser ? 'account not found' : 'organization not found');
  return account;
}

/** Returns undefined if the caller may not see the organization, or if the account is a user and users are excluded. */
function accountOf(
  standing: OrganizationStanding, { orUser }: Pick<AccountSource, 'orUser'>, named: boolean,
): Account | undefined {
  const { id, slug: name, kind, visible } = standing;
  if (kind === AccountKind.ACCOUNT_KIND_PERSON) return orUser ? { kind: 'user', id, name, named } : undefined;
  return visible ? { kind: 'organization', id, name, named, standing } : undefined;
}
