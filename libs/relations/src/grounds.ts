import { pairNames, pairOf } from './catalogue.ts';
import type { ObjectClass } from './classes.ts';
import { checkableRelations, objectClasses } from './classes.ts';
import type { Holder, RelationRow } from './relation-row.ts';
import { rowsOf } from './table.ts';
import { pairRelation } from './tuples.ts';

/**
 * The relations on an organization from which all other relations in it follow, by the rewrites of the model: the
 * ranks, the pairs of custom roles, `system_admin` and `branding_editor`. Only these relations are read from the
 * engine.
 */
export const grounds: readonly string[] = [
  'member', 'viewer', 'editor', 'admin', 'owner', 'system_admin', 'branding_editor',
  ...pairNames.map((name) => pairRelation(pairOf(name))),
];

/** The grounds that a principal holds in an organization. */
export type Grounds = ReadonlySet<string>;

/**
 * The grounds of an organization's hidden system admin. Only the row of the system admin decides them, because the
 * system admin is in no team, and roles are assigned only to teams. So the engine need not be asked (ADR 0090).
 */
export const systemAdminGrounds: Grounds = new Set(['member', 'viewer', 'system_admin']);

/** The ways to hold a relation on the objects of a class. If there is none, only site admins hold the relation. */
export interface Basis {
  /** Each of these grounds is sufficient. */
  readonly grounds: readonly string[];
  /** Whether membership of the team itself is sufficient. */
  readonly ownTeam: boolean;
}

const known = new Set(grounds);
const ownersClasses: ReadonlySet<ObjectClass> = new Set([
  'owners_team', 'own_owners_team',
]);
const ownClasses: ReadonlySet<ObjectClass> = new Set([
  'own_team', 'own_owners_team',
]);
/** Only site admins hold the relation, and no check of a site admin asks the engine. */
const nothing: Basis = { grounds: [], ownTeam: false };

const bases = new Map<ObjectClass, ReadonlyMap<string, Basis>>(
  objectClasses.filter(({ owner }) => owner === 'organization').map(({ objectClass, type, checkable }) => {
    const rows = new Map(rowsOf(type).map((row) => [row.relation, row]));
    const basisOf = (row: RelationRow | undefined): Basis => (row === undefined ? nothing : {
      grounds: ownersClasses.has(objectClass) ? onOwnersTeam(row) : throughOrganization(row),
      ownTeam: row.teamMembers && ownClasses.has(objectClass),
    });
    return [objectClass, new Map(checkable.map((relation) => [relation, basisOf(rows.get(relation))]))];
  }),
);

/**
 * Returns the ways to hold a relation on the objects of a class in an organization.
 * @throws RangeError for a class of objects of users: the owner holds every relation on them
 */
export function basisOf(objectClass: ObjectClass, relation: string): Basis {
  return basesOf(objectClass).get(relation) ?? nothing;
}

/** Returns whether these grounds give a relation on the objects of a class. */
export function holdsOn(held: Grounds, objectClass: ObjectClass, relation: string): boolean {
  return gives(basisOf(objectClass, relation), held);
}

/** Returns every relation that these grounds give on the objects of a class, ascending. */
export function relationsOn(held: Grounds, objectClass: ObjectClass): string[] {
  const all = basesOf(objectClass);
  return checkableRelations(objectClass).filter((relation) => gives(all.get(relation)!, held));
}

function gives({ grounds: any, ownTeam }: Basis, held: Grounds): boolean {
  return ownTeam || any.some((ground) => held.has(ground));
}

function basesOf(objectClass: ObjectClass): ReadonlyMap<string, Basis> {
  const found = bases.get(objectClass);
  if (found === undefined) {
    throw new RangeError(`objects of class ${objectClass} do not depend on an organization`);
  }
  return found;
}

/** Roles do not apply to the Owners team (open-points 2.2). */
function onOwnersTeam(row: RelationRow): string[] {
  return asGrounds(row.ownersTeam ?? row.lowest, systemAdminGround(row));
}

function throughOrganization(row: RelationRow): string[] {
  if (row.through !== undefined) {
    const { link, relation } = row.through;
    return throughOrganization(rowsOf(link).find((candidate) => candidate.relation === relation)!);
  }
  const pair = row.pair === undefined ? undefined : pairRelation(pairOf(row.pair));
  return asGrounds(row.lowest, pair, systemAdminGround(row));
}

/** The system admin is a viewer, so it needs the ground `system_admin` only for relations above viewer. */
function systemAdminGround({ systemAdmin, lowest }: RelationRow): string | undefined {
  return systemAdmin && lowest !== 'viewer' && lowest !== 'member' ? 'system_admin' : undefined;
}

/** A rank stands for all higher ranks, too, because the engine also returns all lower ranks of a principal. */
function asGrounds(...named: readonly (Holder | string | undefined)[]): string[] {
  return named.filter((name) => name !== undefined && known.has(name)) as string[];
}
