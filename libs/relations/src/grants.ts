import type { PairName } from './catalogue.ts';
import { pairName } from './catalogue.ts';
import type { ObjectClass } from './classes.ts';
import type { ObjectType } from './relation-row.ts';
import { relationTable } from './table.ts';
import type { TeamPermission } from './tuples.ts';
import { relationOfPermission } from './tuples.ts';
import { holdsBy } from './holders.ts';

/**
 * A relation on all objects of a type in an organization, except the team Owners. Callers can grant only the relations
 * that they hold (PRIVILEGE_ESCALATION).
 */
export interface GrantedRelation {
  readonly type: ObjectType;
  readonly relation: string;
  /**
   * Class of objects on which the caller must hold the relation. The class of the administrative organization gives the
   * same answer.
   */
  readonly objectClass: ObjectClass;
}

const classOfType: Partial<Record<ObjectType, ObjectClass>> = {
  organization: 'organization',
  team: 'team',
  role: 'role',
  cluster: 'cluster',
  clusterset: 'cluster_set',
  contract: 'contract',
};

const byPair = new Map<PairName, GrantedRelation[]>();
for (const { type, relation, pair } of relationTable) {
  if (pair === undefined) continue;
  const granted = { type, relation, objectClass: classOfType[type]! };
  byPair.set(pair, [...(byPair.get(pair) ?? []), granted]);
}

/** Returns the relations that a pair of the catalogue grants (open-points 2.6). Empty for an unknown pair. */
export function relationsOfPair(namespace: string, action: string): readonly GrantedRelation[] {
  const name = pairName(namespace, action);
  return name === undefined ? [] : byPair.get(name) ?? [];
}

/**
 * Returns the relations of a built-in right that a pair of the catalogue also grants. A caller who grants the right
 * must hold these relations. The other relations come with the right itself (open-points 2.7).
 */
export function relationsOfRight(permission: TeamPermission): readonly GrantedRelation[] {
  const holder = relationOfPermission[permission] as 'owner' | 'admin' | 'editor' | 'viewer' | 'member';
  return relationTable
    .filter((row) => row.pair !== undefined && holdsBy(row, holder))
    .map(({ type, relation }) => ({ type, relation, objectClass: classOfType[type]! }));
}

/** The relations of a token of an organization (open-points 18.1), which are those of its system admin. */
export const relationsOfSystemAdmin: readonly GrantedRelation[] = relationTable
  .filter(({ systemAdmin, type }) => systemAdmin && classOfType[type] !== undefined)
  .map(({ type, relation }) => ({ type, relation, objectClass: classOfType[type]! }));

/** The classes of objects on which pairs of the catalogue grant relations. */
export const grantableClasses: readonly ObjectClass[] = Object.values(classOfType);
