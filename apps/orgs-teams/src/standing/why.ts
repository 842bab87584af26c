import type { GrantPath, Requirement } from '@platform/proto/orgs/v1/admin';
import {
  basisOf, catalogue, type Grounds, type ObjectClass, type Pair, pairRelation, relationOfPermission,
  type TeamPermission,
} from '@platform/relations';

/** A principal: its team and roles from the database, and its `grounds` from the engine. */
export interface WhyPrincipal {
  /** Undefined for the system admin of the organization. */
  readonly team: { readonly id: number; readonly name: string; readonly permission: TeamPermission } | undefined;
  readonly roles: readonly { readonly id: number; readonly name: string; readonly pairs: readonly Pair[] }[];
  readonly grounds: Grounds;
  /** The class of the object. It depends on the principal, because a team has another class for its own members. */
  readonly objectClass: ObjectClass;
}

/**
 * Team permissions by the relation that they give on the organization, lowest first. `custom` is left out, because it
 * gives the same relation as `none`.
 */
const rights = new Map<string, TeamPermission>(
  (['none', 'read', 'write', 'admin', 'owner'] as const).map((right) => [relationOfPermission[right], right]),
);
const pairs = new Map<string, Pair>(catalogue.map(({ namespace, action }) => [
  pairRelation({ namespace, action }), { namespace, action },
]));

/** Returns the ways in which a principal holds a relation. Empty if the principal does not hold the relation. */
export function pathsOf(principal: WhyPrincipal, relation: string): GrantPath[] {
  const { team, roles, grounds, objectClass } = principal;
  const basis = basisOf(objectClass, relation);
  const named = team && { id: team.id, name: team.name };
  const path = (through: string, more: Partial<GrantPath> = {}): GrantPath =>
    ({ team: named, through, right: '', role: undefined, ...more });
  const found: GrantPath[] = basis.ownTeam ? [path('own_team')] : [];
  for (const ground of basis.grounds.filter((one) => grounds.has(one))) {
    const pair = pairs.get(ground);
    if (pair !== undefined) {
      const giving = roles.filter((role) => role.pairs.some((held) => pairRelation(held) === ground));
      found.push(...giving.map(({ id, name }) => path('role', { role: { id, name, ...pair } })));
    } else if (team === undefined) {
      found.push(path('system_admin'));
    } else {
      found.push(path(ground === 'branding_editor' ? 'branding' : 'right', { right: team.permission }));
    }
  }
  return found;
}

/**
 * Returns the requirements for a relation on the objects of a class. Each requirement alone is enough. Empty if only
 * site admins hold the relation.
 * @param objectClass for a team: `own_team` or `own_owners_team`, because membership of the team may be enough
 */
export function requirementsOf(objectClass: ObjectClass, relation: string): Requirement[] {
  const { grounds, ownTeam } = basisOf(objectClass, relation);
  const requirement = (kind: string, more: Partial<Requirement> = {}): Requirement =>
    ({ kind, right: '', namespace: '', action: '', ...more });
  // Only the administrative organization has branding editors (open-points 2.3).
  const hasBranding = objectClass === 'administrative_organization';
  return [
    ...grounds.filter((ground) => hasBranding || ground !== 'branding_editor').map((ground) => {
      const pair = pairs.get(ground);
      if (pair !== undefined) return requirement('permission', pair);
      const right = rights.get(ground);
      if (right !== undefined) return requirement('right', { right });
      return requirement(ground === 'branding_editor' ? 'branding' : ground);
    }),
    ...(ownTeam ? [requirement('own_team')] : []),
  ];
}

/** Returns the grounds of a principal according to the rows. The engine should return the same grounds. */
export function groundsByRows({ team, roles }: Pick<WhyPrincipal, 'team' | 'roles'>, administrative: boolean): Grounds {
  if (team === undefined) return new Set(['member', 'viewer', 'system_admin']);
  const ranks = [...rights.keys()];
  const held = ranks.slice(0, ranks.indexOf(relationOfPermission[team.permission]) + 1);
  const brands = administrative && (held.includes('admin') || held.includes('owner')) ? ['branding_editor'] : [];
  return new Set([...held, ...brands, ...roles.flatMap((role) => role.pairs.map(pairRelation))]);
}
