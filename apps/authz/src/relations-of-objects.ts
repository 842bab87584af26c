import {
  AccountKind, type Caller, type GetStandingRequest, type OrganizationStanding, type Principal, type Standing,
} from '@platform/proto/orgs/v1/identity';
import type { ObjectOwner } from '@platform/proto/owners/v1/owners';
import { checkableRelations, objectClassOf, type ObjectType, reportedRelations } from '@platform/relations';
import { type CallContext, classOfObject, type Guard, type OutgoingContext } from '@platform/rpc';
import type { AskableType, ObjectIdentifier } from './domain/object-identifier.ts';
import { type OwnerSources, ownersOf } from './owner-sources.ts';

export interface RelationsOfObjects {
  readonly guard: Guard;
  readonly owners: OwnerSources;
  standing(request: GetStandingRequest, call: OutgoingContext): Promise<Standing>;
}

/**
 * Maximum number of concurrent decisions in a request. The guard has the same limit for one caller's questions to the
 * engine (authorization.md, read path).
 */
const decisionsAtOnce = 2;

/**
 * Returns the caller's `can_*` relations on each object, in the order of the objects. For a missing object, the list of
 * relations is empty (open-points 2.5).
 * @throws Fault if the relations on any object cannot be determined
 */
export async function relationsOfObjects(
  sources: RelationsOfObjects, objects: readonly ObjectIdentifier[], context: CallContext,
): Promise<string[][]> {
  const owners = await resolveOwners(sources, objects.filter(({ type }) => type !== 'user'), context);
  const ownerIds = [...owners.values()].flatMap((byId) => [...byId.values()].map(({ ownerId }) => ownerId));
  const { caller, standings } = await standingsWith(sources, new Set(ownerIds), context);
  if (caller === undefined) return objects.map(() => []);

  const decided = new Map<string, Promise<Iterable<string>>>();
  const answers: string[][] = Array.from({ length: objects.length }, () => []);
  const waiting = objects.entries();
  await Promise.all(Array.from({ length: decisionsAtOnce }, async () => {
    for (const [index, { type, id }] of waiting) {
      if (type === 'user') {
        // The caller has relations on their own account and none on other users (open-points 2.5).
        answers[index] = id === caller.id ? reportedRelations(checkableRelations('own_user')) : [];
        continue;
      }
      const owner = owners.get(type)?.get(id);
      const standing = owner && standings.get(owner.ownerId);
      if (owner === undefined || standing === undefined) continue;
      // Objects of one type and owner share a decision. Each team has its own decision, because the caller may be a
      // member.
      const key = type === 'team' ? `team ${id}` : `${type} of ${owner.ownerId}`;
      const decision = decided.get(key)
        ?? relationsHeldOn(sources.guard, type, owner, standing, { ...context, caller });
      decided.set(key, decision);
      answers[index] = reportedRelations(await decision);
    }
  }));
  return answers;
}

/** Returns the owners by type and id of the object. An organization owns itself. */
async function resolveOwners(
  sources: RelationsOfObjects, objects: readonly ObjectIdentifier[], call: OutgoingContext,
): Promise<Map<AskableType, Map<number, ObjectOwner>>> {
  const types = [...new Set(objects.map(({ type }) => type))];
  const resolved = await Promise.all(types.map(async (type) => {
    const ids = objects.filter((object) => object.type === type).map(({ id }) => id);
    const owners = type === 'organization'
      ? new Map(ids.map((id) => [id, { id, ownerId: id, teamId: 0, isOwnersTeam: false }]))
      : await ownersOf(sources.owners, type, ids, call);
    return [type, owners] as const;
  }));
  return new Map(resolved);
}

const accountsPerStanding = 1_000;

/**
 * Returns the caller, and the caller's standings in the accounts that own the objects. Does not read the standing in
 * the acting organization again, because the guard has already read it for this call.
 */
async function standingsWith(sources: RelationsOfObjects, ownerIds: ReadonlySet<number>, context: CallContext) {
  const standings = new Map<number, OrganizationStanding>();
  const { account } = context;
  let { caller } = context;
  if (account?.kind === 'organization') standings.set(account.id, account.standing);
  const unknown = [...ownerIds].filter((id) => !standings.has(id));
  for (let from = 0; from < unknown.length; from += accountsPerStanding) {
    const organizationIds = unknown.slice(from, from + accountsPerStanding);
    const standing = await sources.standing({ token: context.token ?? '', slugs: [], organizationIds }, context);
    caller = standing.caller;
    for (const organization of standing.organizations) standings.set(organization.id, organization);
  }
  return { caller, standings };
}

/**
 * Returns the caller's relations on an object of this owner (authorization.md R3 to R5). If a user owns the object, the
 * user and site admins hold all relations, and others hold none.
 */
export async function relationsHeldOn(
  guard: Guard, type: ObjectType, owner: ObjectOwner, standing: OrganizationStanding,
  context: OutgoingContext & { caller: Caller },
): Promise<Iterable<string>> {
  if (standing.kind === AccountKind.ACCOUNT_KIND_ORGANIZATION) {
    const classOf = classOfObject(type, owner, standing.administrative);
    if (classOf === undefined) return [];
    const held = await guard.relations(context, standing, classOf);
    return held === 'all' ? checkableRelations(classOf(nobody)) : held;
  }
  const ownClass = objectClassOf(type, 'user');
  if (ownClass === undefined) return [];
  return context.caller.isAdmin || context.caller.id === standing.id ? checkableRelations(ownClass) : [];
}

const nobody: Principal = { user: '', revision: '', pending: false, teamId: 0, isOwners: false };
