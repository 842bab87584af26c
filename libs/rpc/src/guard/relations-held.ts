import type { OrganizationStanding, Principal } from '@platform/proto/orgs/v1/identity';
import { type Grounds, holdsOn, relationsOn, systemAdminGrounds } from '@platform/relations';
import { remaining } from '@platform/service';
import { unavailable } from '@platform/faults';
import type { ClassOf } from './class-of-object.ts';
import { createDecisions } from './decisions.ts';
import { type Asking, createFlights, flightsPerCaller } from './flights.ts';
import type { GuardMetrics } from './guard-metrics.ts';
import { type GuardSources, standingNow } from './guard-sources.ts';

export type Relations = ReadonlySet<string>;

/** The read path of authorization.md (R3 to R5): decides which relations principals hold. */
export interface RelationsHeld {
  /** Whether any principal holds one of the relations. Also returns the principals on which the decision is based. */
  holdsAny(
    standing: OrganizationStanding, classOf: ClassOf, relations: readonly string[], call: Asking,
  ): Promise<{ held: boolean; standing: OrganizationStanding }>;
  /** All relations that any of the principals holds. Also returns the principals on which the answer is based. */
  all(
    standing: OrganizationStanding, classOf: ClassOf, call: Asking,
  ): Promise<{ relations: Relations; standing: OrganizationStanding }>;
}

export function createRelationsHeld(sources: GuardSources, maxBytes: number, counts: GuardMetrics): RelationsHeld {
  const kept = createDecisions(maxBytes);
  const ask = createFlights(sources, kept, counts);
  counts.keeping(() => kept.size);

  /** Decides with the grounds in memory. Asks for missing grounds, and starts again if rows changed meanwhile. */
  async function decide<T>(
    standing: OrganizationStanding, call: Asking,
    conclude: (stands: readonly Stands[], complete: boolean) => T | undefined,
  ): Promise<{ result: T; standing: OrganizationStanding }> {
    for (let current = standing; ; ) {
      const stands: Stands[] = [];
      const missing: Principal[] = [];
      for (const principal of current.principals) {
        // A principal without a team is the system admin of the organization.
        const grounds = principal.teamId === 0 ? systemAdminGrounds : kept.get(principal.user, principal.revision);
        if (grounds) stands.push({ principal, grounds });
        else missing.push(principal);
      }
      const early = conclude(stands, missing.length === 0);
      if (early !== undefined) {
        counts.decided('kept');
        return { result: early, standing: current };
      }
      counts.decided('engine');
      // Ask about at most `flightsPerCaller` principals at once. The team Owners comes first, and may be enough.
      while (missing.length > 0) {
        const learnt = await Promise.all(missing.splice(0, flightsPerCaller).map(async (principal) => {
          const outcome = await ask(current.id, principal, call);
          return outcome === 'decide again' ? undefined : { principal, grounds: outcome.grounds };
        }));
        if (learnt.includes(undefined)) break;
        stands.push(...learnt.filter((one) => one !== undefined));
        const result = conclude(stands, missing.length === 0);
        if (result !== undefined) return { result, standing: current };
      }
      if (remaining(call.deadline) < 50) throw unavailable('authorization');
      counts.repeated('rows moved');
      // If the organization was deleted meanwhile, the caller has no principals.
      current = (await standingNow(sources, current.id, call)) ?? { ...current, principals: [] };
    }
  }

  return {
    holdsAny: async (standing, classOf, relations, call) => {
      const { result, standing: restsOn } = await decide(standing, call, (stands, complete) => {
        const held = stands.some(({ principal, grounds }) =>
          relations.some((relation) => holdsOn(grounds, classOf(principal), relation)));
        return held || complete ? held : undefined;
      });
      return { held: result, standing: restsOn };
    },
    all: async (standing, classOf, call) => {
      const decision = await decide(standing, call, (stands, complete) => (complete ? stands : undefined));
      const held = decision.result.flatMap(({ principal, grounds }) => relationsOn(grounds, classOf(principal)));
      return { relations: new Set(held), standing: decision.standing };
    },
  };
}

interface Stands {
  readonly principal: Principal;
  readonly grounds: Grounds;
}
