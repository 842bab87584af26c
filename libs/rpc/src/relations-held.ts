import { ObjectClass } from '@platform/proto/authz/v1/decision';
import type { OrganizationStanding, Principal } from '@platform/proto/orgs/v1/identity';
import { type Metrics, remaining } from '@platform/service';
import type { OutgoingContext } from './call-context.ts';
import { createDecisions, type Relations } from './decisions.ts';
import { unavailable } from './fault.ts';
import type { GuardSources, ObjectOwner } from './guard-sources.ts';

/** Which class an object is of, seen by one of the caller's principals. */
export type ClassOf = (principal: Principal) => ObjectClass;

/** The read path of authorization.md (R3 to R5): what principals hold, kept or asked. */
export interface RelationsHeld {
  /** Whether any principal of the standing holds the relation. The standing it rests on in the end is answered too. */
  holds(
    standing: OrganizationStanding,
    classOf: ClassOf,
    relation: string,
    call: OutgoingContext,
  ): Promise<{ held: boolean; standing: OrganizationStanding }>;
  /** All relations the principals hold together. The standing they rest on in the end is answered too. */
  all(
    standing: OrganizationStanding,
    classOf: ClassOf,
    call: OutgoingContext,
  ): Promise<{ relations: Relations; standing: OrganizationStanding }>;
  /** What a user holds on what he owns himself; it depends on the model alone. */
  owned(userId: number, objectClass: ObjectClass, call: OutgoingContext): Promise<Relations>;
}

/** All owner users hold the same on what is theirs, so one decision serves them all. */
const ownerUser = 'user:owner';

type Outcome = { relations: Relations } | 'decide anew';

export function createRelationsHeld(sources: GuardSources, maxBytes: number, metrics?: Metrics): RelationsHeld {
  const kept = createDecisions(maxBytes);
  const flights = new Map<string, Promise<Outcome>>();
  const asked = metrics?.counter({
    name: 'authorization_decisions_total',
    help: 'Decisions of the guard, by where they came from: kept in memory, or asked of the engine.',
    labels: ['source'],
  });

  /** One flight per principal, revision and class: whoever else misses the same decision waits for it. */
  function ask(
    organizationId: number,
    principal: Principal,
    objectClass: ObjectClass,
    call: OutgoingContext,
  ): Promise<Outcome> {
    const key = `${principal.user} ${principal.revision} ${objectClass} ${principal.pending}`;
    let flight = flights.get(key);
    if (!flight) {
      flight = fly(organizationId, principal, objectClass, call).finally(() => flights.delete(key));
      flights.set(key, flight);
    }
    return flight;
  }

  /** R5. */
  async function fly(
    organizationId: number,
    principal: Principal,
    objectClass: ObjectClass,
    call: OutgoingContext,
  ): Promise<Outcome> {
    if (principal.pending) {
      await sources.settle({ organizationId }, call);
      return 'decide anew';
    }
    asked?.add({ source: 'engine' });
    const answer = await sources.ask({ principal: principal.user, organizationId, objectClass }, call);
    if (organizationId !== 0 && answer.fence === '') {
      await sources.reportLostStore({ organizationId }, call);
      await sources.settle({ organizationId }, call);
      return 'decide anew';
    }
    const relations = new Set(answer.relations);
    if (organizationId !== 0 && (await revisionNow(organizationId, principal, call)) !== principal.revision) {
      return 'decide anew';
    }
    kept.keep(organizationId === 0 ? ownerUser : principal.user, principal.revision, objectClass, answer.modelId, relations);
    return { relations };
  }

  async function revisionNow(
    organizationId: number,
    principal: Principal,
    call: OutgoingContext,
  ): Promise<string | undefined> {
    const standing = await standingAgain(organizationId, call);
    return standing?.principals.find((candidate) => candidate.user === principal.user)?.revision;
  }

  async function standingAgain(
    organizationId: number,
    call: OutgoingContext,
  ): Promise<OrganizationStanding | undefined> {
    const request = { token: call.token ?? '', slugs: [], organizationIds: [organizationId] };
    return (await sources.standing(request, call)).organizations.find(({ id }) => id === organizationId);
  }

  /** Decides with what is kept; asks for the rest and begins again where the rows have moved meanwhile. */
  async function decide<T>(
    standing: OrganizationStanding,
    classOf: ClassOf,
    call: OutgoingContext,
    conclude: (held: Relations[], complete: boolean) => T | undefined,
  ): Promise<{ result: T; standing: OrganizationStanding }> {
    for (let current = standing; ; ) {
      const held: Relations[] = [];
      const missing: Principal[] = [];
      for (const principal of current.principals) {
        const known = kept.get(principal.user, principal.revision, classOf(principal));
        if (known) held.push(known);
        else missing.push(principal);
      }
      const early = conclude(held, missing.length === 0);
      if (early !== undefined) {
        asked?.add({ source: 'kept' });
        return { result: early, standing: current };
      }
      const outcomes = await Promise.all(
        missing.map((principal) => ask(current.id, principal, classOf(principal), call)),
      );
      if (outcomes.every((outcome) => outcome !== 'decide anew')) {
        const result = conclude([...held, ...outcomes.map((outcome) => outcome.relations)], true);
        if (result !== undefined) return { result, standing: current };
      }
      if (remaining(call.deadline) < 50) throw unavailable('authorization');
      // The caller may have left meanwhile: then there is nothing left to hold anything through.
      current = (await standingAgain(current.id, call)) ?? { ...current, principals: [] };
    }
  }

  return {
    holds: async (standing, classOf, relation, call) => {
      const { result, standing: restsOn } = await decide(standing, classOf, call, (held, complete) =>
        held.some((relations) => relations.has(relation)) ? true : complete ? false : undefined,
      );
      return { held: result, standing: restsOn };
    },
    all: async (standing, classOf, call) => {
      const { result, standing: restsOn } = await decide(standing, classOf, call, (held, complete) =>
        complete ? held.reduce<Relations>((union, relations) => union.union(relations), new Set()) : undefined,
      );
      return { relations: result, standing: restsOn };
    },
    owned: async (userId, objectClass, call) => {
      const known = kept.get(ownerUser, '', objectClass);
      if (known) return known;
      const principal = { user: `user:${userId}`, revision: '', pending: false, teamId: 0, isOwners: false };
      const outcome = await ask(0, principal, objectClass, call);
      if (outcome === 'decide anew') throw unavailable('authorization');
      return outcome.relations;
    },
  };
}

/**
 * The class of an object of the acting organization; one that is missing or foreign is of the plain kind (R2), a team
 * the caller's own: what he may do with some team of the organization, he learns of a missing one that it is missing
 * (open-points 1.5 and 3.6: also who would leave it).
 */
export function classOfObject(type: string, owner: ObjectOwner | undefined, administrative: boolean): ClassOf {
  switch (type) {
    case 'organization':
      return () =>
        administrative
          ? ObjectClass.OBJECT_CLASS_ADMINISTRATIVE_ORGANIZATION
          : ObjectClass.OBJECT_CLASS_ORGANIZATION;
    case 'team':
      return (principal) => teamClass(owner, principal);
    case 'role':
      return () => ObjectClass.OBJECT_CLASS_ROLE;
    case 'cluster':
      return () => ObjectClass.OBJECT_CLASS_CLUSTER;
    case 'contract':
      return () => ObjectClass.OBJECT_CLASS_CONTRACT;
    case 'robot_ac':
      return () => ObjectClass.OBJECT_CLASS_ROBOT_ACCOUNT;
    case 'token':
      return () => ObjectClass.OBJECT_CLASS_TOKEN;
    case 'clusterset':
      return () => ObjectClass.OBJECT_CLASS_CLUSTER_SET;
    default:
      throw new Error(`no class of objects is known for the type ${type}`);
  }
}

function teamClass(owner: ObjectOwner | undefined, principal: Principal): ObjectClass {
  const own = principal.teamId !== 0 && (owner === undefined || owner.teamId === principal.teamId);
  if (owner?.isOwnersTeam) {
    return own ? ObjectClass.OBJECT_CLASS_OWN_OWNERS_TEAM : ObjectClass.OBJECT_CLASS_OWNERS_TEAM;
  }
  return own ? ObjectClass.OBJECT_CLASS_OWN_TEAM : ObjectClass.OBJECT_CLASS_TEAM;
}
