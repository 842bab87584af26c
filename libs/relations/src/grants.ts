import { pairName } from './catalogue.ts';
import type { ObjectClass } from './classes.ts';
import type { ObjectType, RelationRow } from './relation-row.ts';
import { relationTable } from './table.ts';
import { relationOfPermission, type TeamPermission } from './tuples.ts';
import { holdsBy, type Rank } from './holders.ts';

/**
 * A relation on the objects of a type in an organization. The team Owners is not among these objects. Callers can grant
 * only relations that they hold (PRIVILEGE_ESCALATION).
 */
export interface GrantedRelation {
  readonly type: ObjectType;
  readonly relation: string;
  /**
   * Class of the objects on which the caller must hold the relation. For the administrative organization, the class is
   * `organization`, not `administrative_organization`.
   */
  readonly objectClass: ObjectClass;
}

const classOfType: Partial<Record<ObjectType, ObjectClass>> = {
  organization: 'organization', team: 'team', role: 'role', cluster: 'cluster', clusterset: 'cluster_set',
  contract: 'contract',
};

const byPair = Map.groupBy(relationTable, ({ pair }) => pair);

function grantedBy({ type, relation }: RelationRow): GrantedRelation {
  return { type, relation, objectClass: classOfType[type]! };
}

/** The relations that a pair of the catalogue grants (open-points 2.6). Empty for an unknown pair. */
export function relationsOfPair(namespace: string, action: string): readonly GrantedRelation[] {
  const name = pairName(namespace, action);
  return name === undefined ? [] : (byPair.get(name) ?? []).map(grantedBy);
}

/**
 * Returns the relations that a caller must hold to grant a built-in right (open-points 2.7): those relations of the
 * right that a pair of the catalogue also grants.
 */
export function relationsOfRight(permission: TeamPermission): readonly GrantedRelation[] {
  const holder = relationOfPermission[permission] as Rank;
  return relationTable.filter((row) => row.pair !== undefined && holdsBy(row, holder)).map(grantedBy);
}

/**
 * The relations of an organization's system admin on objects of {@link grantableClasses}. A caller must hold them to
 * create a token of the organization (open-points 18.1).
 */
export const relationsOfSystemAdmin: readonly GrantedRelation[] = relationTable
  .filter(({ systemAdmin, type }) => systemAdmin && classOfType[type] !== undefined).map(grantedBy);

/** The classes of objects on which the permissions of custom roles can grant relations. */
export const grantableClasses: readonly ObjectClass[] = Object.values(classOfType);
