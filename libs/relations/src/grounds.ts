import { pairNames, pairOf } from './catalogue.ts';
import type { ObjectClass } from './classes.ts';
import { checkableRelations, objectClasses } from './classes.ts';
import type { Holder, RelationRow } from './table.ts';
import { rowsOf } from './table.ts';
import { pairRelation } from './tuples.ts';

/**
 * The relations on an organization from which all decisions in it follow: the ranks, the pairs of custom roles, and two
 * more. The engine is asked for these only. Every relation on every kind of object follows from them by the rewrites of
 * the model.
 */
export const grounds: readonly string[] = [
  'member', 'viewer', 'editor', 'admin', 'owner', 'system_admin', 'branding_editor',
  ...pairNames.map((name) => pairRelation(pairOf(name))),
];

/** The grounds a principal has in an organization. */
export type Grounds = ReadonlySet<string>;

/**
 * The grounds of an organization's hidden system admin. Its row alone gives them: it is in no team, and roles are
 * assigned to teams only. So nobody has to ask the engine (ADR 0090).
 */
export const systemAdminGrounds: Grounds = new Set(['member', 'viewer', 'system_admin']);

/** What gives a relation on the objects of a class. */
export interface Basis {
  /** Each of these grounds alone gives it. */
  readonly grounds: readonly string[];
  /** Being in this team gives it. */
  readonly ownTeam: boolean;
}

const known = new Set(grounds);
const ownersClasses: ReadonlySet<ObjectClass> = new Set([
  'owners_team', 'own_owners_team',
]);
const ownClasses: ReadonlySet<ObjectClass> = new Set([
  'own_team', 'own_owners_team',
]);
/** Only site admins, about whom the engine is not asked. */
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
 * What gives a relation on the objects of a class in an organization.
 * @throws RangeError for a class of objects of users, on which the owner holds every relation
 */
export function basisOf(objectClass: ObjectClass, relation: string): Basis {
  return basesOf(objectClass).get(relation) ?? nothing;
}

/** Whether these grounds give a relation on the objects of a class. */
export function holdsOn(held: Grounds, objectClass: ObjectClass, relation: string): boolean {
  return gives(basisOf(objectClass, relation), held);
}

/** Every relation that these grounds give on the objects of a class, ascending. */
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

/** Roles give nothing on the Owners team (open-points 2.2). */
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

/** The system admin is a viewer; only relations above that are named. */
function systemAdminGround({ systemAdmin, lowest }: RelationRow): string | undefined {
  return systemAdmin && lowest !== 'viewer' && lowest !== 'member' ? 'system_admin' : undefined;
}

/** A rank stands for the ranks above it, too: the engine answers with the lower ranks as well. */
function asGrounds(...named: readonly (Holder | string | undefined)[]): string[] {
  return named.filter((name) => name !== undefined && known.has(name)) as string[];
}
