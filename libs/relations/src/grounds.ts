import { pairNames, pairOf } from './catalogue.ts';
import { checkableRelations, type ObjectClass, objectClasses, ownersClasses, ownTeamClasses } from './classes.ts';
import { pairTerm, systemAdminTerm } from './model.ts';
import type { RelationRow } from './relation-row.ts';
import { rowsOf } from './table.ts';
import { pairRelation } from './tuples.ts';

/**
 * The relations on an organization that the engine is asked for. The other relations in the organization follow from
 * them. Two cases need no grounds: site admins hold every relation, and members of a team hold some relations on this
 * team ({@link Basis.ownTeam}).
 */
export const grounds: readonly string[] = [
  'member', 'viewer', 'editor', 'admin', 'owner', 'system_admin', 'branding_editor',
  ...pairNames.map((name) => pairRelation(pairOf(name))),
];

/** The grounds that a principal holds in an organization. */
export type Grounds = ReadonlySet<string>;

/**
 * The grounds of an organization's hidden system admin. They are fixed, because the system admin is in no team. So the
 * engine need not be asked (ADR 0090).
 */
export const systemAdminGrounds: Grounds = new Set(['member', 'viewer', 'system_admin']);

/** The ways to hold a relation on the objects of a class. Site admins need none, because they hold every relation. */
interface Basis {
  /** Each of these grounds is sufficient to hold the relation. */
  readonly grounds: readonly string[];
  /**
   * Whether membership of the team that is the object is sufficient. False for classes in which the object is not the
   * principal.
   */
  readonly ownTeam: boolean;
}

const known = new Set(grounds);

const bases = new Map<ObjectClass, ReadonlyMap<string, Basis>>(
  objectClasses.filter(({ owner }) => owner === 'organization').map(({ objectClass, type }) => {
    const basisIn = (row: RelationRow): Basis => ({
      // Roles do not apply to the Owners team (open-points 2.2).
      grounds: ownersClasses.has(objectClass)
        ? asGrounds(row.ownersTeam ?? row.lowest, systemAdminTerm(row))
        : throughOrganization(row),
      ownTeam: row.teamMembers && ownTeamClasses.has(objectClass),
    });
    return [objectClass, new Map(rowsOf(type).map((row) => [row.relation, basisIn(row)]))];
  }),
);

/** @throws RangeError for a class of objects that users own: their owner holds every relation on them */
export function basisOf(objectClass: ObjectClass, relation: string): Basis {
  const found = bases.get(objectClass);
  if (found === undefined) throw new RangeError(`objects of class ${objectClass} do not depend on an organization`);
  return found.get(relation) ?? { grounds: [], ownTeam: false };
}

export function holdsOn(held: Grounds, objectClass: ObjectClass, relation: string): boolean {
  const { grounds: any, ownTeam } = basisOf(objectClass, relation);
  return ownTeam || any.some((ground) => held.has(ground));
}

/** Returns the relations that a principal with these grounds holds on the objects of a class, ascending. */
export function relationsOn(held: Grounds, objectClass: ObjectClass): string[] {
  return checkableRelations(objectClass).filter((relation) => holdsOn(held, objectClass, relation));
}

function throughOrganization(row: RelationRow): string[] {
  if (row.through !== undefined) {
    const { link, relation } = row.through;
    return throughOrganization(rowsOf(link).find((candidate) => candidate.relation === relation)!);
  }
  return asGrounds(row.lowest, pairTerm(row), systemAdminTerm(row));
}

/**
 * Returns the names that are {@link grounds}. The lowest rank that holds a relation is enough, because the
 * engine also returns this rank for principals with a higher rank.
 */
function asGrounds(...named: readonly (string | undefined)[]): string[] {
  return named.filter((name) => name !== undefined && known.has(name)) as string[];
}
