import type { Pair } from './catalogue.ts';

/**
 * A tuple of the engine, as in `controlplane.authz.v1.Tuple`. The engine stores the structure of organizations. It does
 * not store team members, site admins or owners of objects (authorization.md, invariant 2).
 */
export interface RelationTuple {
  readonly user: string;
  readonly relation: string;
  readonly object: string;
}

/** Built-in right of a team: Team.`permission` of spec §2.2. `none` and `custom` give only the relation `member`. */
export type TeamPermission = 'owner' | 'admin' | 'write' | 'read' | 'none' | 'custom';

/** For each built-in right, the relation on the organization that it gives (open-points 2.2). */
export const relationOfPermission: Readonly<Record<TeamPermission, string>> = {
  owner: 'owner', admin: 'admin', write: 'editor', read: 'viewer', none: 'member', custom: 'member',
};

/** The only object of type `site`. Site admins are admins of it. */
export const siteObject = 'site:main';

export const organizationObject = (organizationId: number): string => `organization:${organizationId}`;
export const teamObject = (teamId: number): string => `team:${teamId}`;
export const roleObject = (roleId: number): string => `role:${roleId}`;
/** The name of a user or a system admin in OpenFGA. */
export const userObject = (userId: number): string => `user:${userId}`;
/** All members of a team as one principal. */
export const teamMembers = (teamId: number): string => `team:${teamId}#member`;
/** The members of all teams that have the role. */
export const roleAssignees = (roleId: number): string => `role:${roleId}#assignee`;

/** Returns the relation on the organization that a permission of a role gives, such as `team_mgmt_view_teams`. */
export function pairRelation({ namespace, action }: Pair): string {
  return `${namespace}_${action.replaceAll(' ', '_')}`;
}

export function teamRightTuple(organizationId: number, teamId: number, permission: TeamPermission): RelationTuple {
  const relation = relationOfPermission[permission];
  return { user: teamMembers(teamId), relation, object: organizationObject(organizationId) };
}

export function rolePairTuple(organizationId: number, roleId: number, pair: Pair): RelationTuple {
  return { user: roleAssignees(roleId), relation: pairRelation(pair), object: organizationObject(organizationId) };
}

export function assignmentTuple(roleId: number, teamId: number): RelationTuple {
  return { user: teamMembers(teamId), relation: 'assignee', object: roleObject(roleId) };
}

export function systemAdminTuple(organizationId: number, systemAdminId: number): RelationTuple {
  return { user: userObject(systemAdminId), relation: 'system_admin', object: organizationObject(organizationId) };
}

/** Links an organization to the site, so that site admins have the rights of the organization's owners. */
export function siteTuple(organizationId: number): RelationTuple {
  return { user: siteObject, relation: 'site', object: organizationObject(organizationId) };
}

/**
 * The additional tuples of the administrative organization (open-points 2.3). The first tuple gives site admins the
 * relations `can_admin_…` on this organization. The second tuple lets admins of this organization change the branding
 * of the platform.
 */
export function administrativeTuples(organizationId: number): readonly RelationTuple[] {
  const object = organizationObject(organizationId);
  return [
    { user: siteObject, relation: 'administrative_site', object },
    { user: `${object}#admin`, relation: 'branding_editor', object },
  ];
}

/**
 * Relation of the fence tuple of an organization. Each write of the organization's tuples replaces the fence tuple, so
 * that a late write fails (authorization.md, data).
 */
export const fenceRelation = 'at';

/** @param revision a random UUID that is new for each write */
export function fenceTuple(organizationId: number, revision: string): RelationTuple {
  return { user: `revision:${revision}`, relation: fenceRelation, object: organizationObject(organizationId) };
}

/** Returns the UUID from the `user` of a fence tuple (`revision:{uuid}`); undefined for any other `user`. */
export function revisionOf(user: string): string | undefined {
  return user.startsWith('revision:') ? user.slice('revision:'.length) : undefined;
}
