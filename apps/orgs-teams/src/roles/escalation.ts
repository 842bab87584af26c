import { Fault } from '@platform/faults';
import { type GrantedRelation, grantableClasses } from '@platform/relations';
import type { CallContext, Guard } from '@platform/rpc';

/** Whether the caller holds a relation on the objects of a class in the acting organization. */
type Holds = (granted: GrantedRelation) => boolean;

/**
 * Reads the caller's relations for {@link refuseEscalation}. Call it before the transaction, because it may call the
 * engine. The write path confirms under locks that the relations still hold.
 * @throws AdmissionChanged when the rows that admitted the call have changed
 */
export async function relationsOfCaller(guard: Guard, context: CallContext): Promise<Holds> {
  const held = new Map(await Promise.all(grantableClasses.map(
    async (objectClass) => [objectClass, await guard.relationsAsAdmitted(context, objectClass)] as const,
  )));
  return ({ objectClass, relation }) => {
    const relations = held.get(objectClass);
    return relations === 'all' || relations?.has(relation) === true;
  };
}

/**
 * Refuses to grant relations that the caller does not hold (open-points 2.7).
 * @throws Fault PRIVILEGE_ESCALATION that names the first relation the caller lacks
 */
export function refuseEscalation(holds: Holds, wanted: readonly GrantedRelation[]): void {
  const lacking = wanted.find((granted) => !holds(granted));
  if (lacking === undefined) return;
  const { type, relation } = lacking;
  const where = type === 'organization' ? 'this organization' : `the ${type}s of this organization`;
  throw new Fault('PRIVILEGE_ESCALATION', `you cannot grant ${relation} on ${where}, because you do not hold it`, {
    metadata: { relation, objectType: type },
  });
}
