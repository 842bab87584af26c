import { ObjectClass } from '@platform/proto/authz/v1/decision';
import type { ObjectType, RelationTuple } from '@platform/relations';
import { describeClass, organizationObject } from '@platform/relations';

/** What the engine is asked about one class of objects: a stand-in of the kind, and the tuples that make it one. */
export interface Question {
  readonly user: string;
  readonly object: string;
  /** All relations of the class, ascending. */
  readonly relations: readonly string[];
  /** Tuples that hold for this question only (authorization.md, invariant 2). */
  readonly contextual: readonly RelationTuple[];
}

/** Why a question cannot be put. */
export type Impossible = { readonly impossible: string };

const principalForm = /^(?:(?<team>team:[1-9]\d{0,15})#member|user:[1-9]\d{0,15})$/;

/**
 * Puts the question of authorization.md R5 for a principal and a class of objects.
 * @param principal `team:{id}#member` or `user:{id}`
 * @param organizationId the organization whose structure decides; 0 for what a user owns himself
 */
export function questionOf(
  principal: string,
  organizationId: number,
  objectClass: ObjectClass,
): Question | Impossible {
  const known = describeClass(objectClass);
  if (known === undefined) return { impossible: `there is no class of objects ${objectClass}` };
  const form = principalForm.exec(principal);
  if (form === null) return { impossible: 'the principal is neither team:{id}#member nor user:{id}' };
  const team = form.groups?.['team'];
  if (known.owner === 'user') {
    if (team !== undefined) return { impossible: 'only a user owns objects himself' };
    if (organizationId !== 0) return { impossible: 'what a user owns is decided by no organization' };
    return { user: principal, relations: known.checkable, ...ownedByUser(known.type, principal) };
  }
  if (!Number.isSafeInteger(organizationId) || organizationId < 1) {
    return { impossible: 'the organization is missing' };
  }
  if (team === undefined && ownTeams.has(objectClass)) return { impossible: 'only a team has a team of its own' };
  const place = ofOrganization(objectClass, known.type, organizationObject(organizationId), team);
  return { user: principal, relations: known.checkable, ...place };
}

const ownTeams: ReadonlySet<ObjectClass> = new Set([
  ObjectClass.OBJECT_CLASS_OWN_TEAM, ObjectClass.OBJECT_CLASS_OWN_OWNERS_TEAM,
]);

/** No object has this id: what holds for it holds for every object of its kind. */
const standIn = (type: ObjectType): string => `${type}:any`;

type Place = Pick<Question, 'object' | 'contextual'>;

function ofOrganization(objectClass: ObjectClass, type: ObjectType, organization: string, team?: string): Place {
  switch (objectClass) {
    case ObjectClass.OBJECT_CLASS_ORGANIZATION:
    case ObjectClass.OBJECT_CLASS_ADMINISTRATIVE_ORGANIZATION:
      return { object: organization, contextual: [] };
    case ObjectClass.OBJECT_CLASS_OWN_TEAM:
      return linked(team!, 'organization', organization);
    case ObjectClass.OBJECT_CLASS_OWN_OWNERS_TEAM:
      return linked(team!, 'owners_of', organization);
    case ObjectClass.OBJECT_CLASS_OWNERS_TEAM:
      return linked(standIn(type), 'owners_of', organization);
    case ObjectClass.OBJECT_CLASS_CLUSTER_SET:
      return onHub(linked(standIn('cluster'), 'organization', organization));
    default:
      return linked(standIn(type), 'organization', organization);
  }
}

function ownedByUser(type: ObjectType, user: string): Place {
  const himself = { user, relation: 'account_holder', object: user };
  if (type === 'user') return { object: user, contextual: [himself] };
  const owned = linked(standIn(type === 'clusterset' ? 'cluster' : type), 'owner_user', user);
  const place = type === 'clusterset' ? onHub(owned) : owned;
  return { ...place, contextual: [himself, ...place.contextual] };
}

function linked(object: string, relation: string, user: string): Place {
  return { object, contextual: [{ user, relation, object }] };
}

/** A cluster set has what its hub cluster gives. */
function onHub(hub: Place): Place {
  const object = standIn('clusterset');
  return { object, contextual: [...hub.contextual, { user: hub.object, relation: 'cluster', object }] };
}
