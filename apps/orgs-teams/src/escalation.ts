import type { ObjectClass } from '@platform/proto/authz/v1/decision';
import { type GrantedRelation, grantableClasses } from '@platform/relations';
import { AdmissionChanged, type CallContext, Fault, type Guard } from '@platform/rpc';

/**
 * Whether the caller holds a relation on all objects of its kind in the acting organization (Owners excepted).
 * @throws AdmissionChanged when that was not asked for, because the rows have moved since
 */
export type Holds = (granted: GrantedRelation) => boolean;

/** Decisions asked for at a time by one request (authorization.md: at most 2 misses at a time per caller). */
const decisionsAtOnce = 2;

/**
 * Asks what the caller holds, before the transaction; the write path confirms that it still holds. Kept decisions answer
 * it without the engine.
 * @param expected what the request adds as far as the rows tell before they are locked; all that could be when left out
 * @throws AdmissionChanged when the rows the call was admitted on have moved
 */
export async function relationsOfCaller(
  guard: Guard,
  context: CallContext,
  expected?: readonly GrantedRelation[],
): Promise<Holds> {
  const classes = expected === undefined ? grantableClasses : expected.map(({ objectClass }) => objectClass);
  const held = new Map<ObjectClass, ReadonlySet<string> | 'all'>();
  const waiting = new Set(classes).values();
  await Promise.all(Array.from({ length: decisionsAtOnce }, async () => {
    for (const objectClass of waiting) held.set(objectClass, await guard.relationsAsAdmitted(context, objectClass));
  }));
  return ({ objectClass, relation }) => {
    const relations = held.get(objectClass);
    if (relations === undefined) throw new AdmissionChanged();
    return relations === 'all' || relations.has(relation);
  };
}

/**
 * Nobody gives what he does not hold himself (open-points 2.7).
 * @param wanted what the request adds
 * @throws Fault PRIVILEGE_ESCALATION that names the first relation the caller lacks
 */
export function refuseEscalation(holds: Holds, wanted: readonly GrantedRelation[]): void {
  const lacking = wanted.find((granted) => !holds(granted));
  if (lacking === undefined) return;
  const { type, relation } = lacking;
  throw new Fault(
    'PRIVILEGE_ESCALATION',
    `you cannot give ${relation} on the ${type}s of this organization, which you do not hold`,
    { metadata: { relation, objectType: type } },
  );
}
