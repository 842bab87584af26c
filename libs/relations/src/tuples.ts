import type { Pair } from './catalogue.ts';

/**
 * A tuple of the engine, as `controlplane.authz.v1.Tuple` carries it. Only the tuples of this file are stored: the
 * structure of organizations. Team members, site admins and owners of objects are never stored
 * (authorization.md, invariant 2).
 */
export interface RelationTuple {
  readonly user: string;
  readonly relation: string;
  readonly object: string;
}

/** Built-in right of a team: Team.`permission` of spec §2.2. `none` and `custom` only make members. */
export type TeamPermission = 'owner' | 'admin' | 'write' | 'read' | 'none' | 'custom';

/** The relation on the organization that stands for a built-in right (open-points 2.2). */
export const relationOfPermission: Readonly<Record<TeamPermission, string>> = {
  owner: 'owner',
  admin: 'admin',
  write: 'editor',
  read: 'viewer',
  none: 'member',
  custom: 'member',
};

/** The only object of type `site`; site admins are its admins. */
export const siteObject = 'site:main';

/** `organization:3`. */
export const organizationObject = (organizationId: number): string => `organization:${organizationId}`;
/** `team:7`. */
export const teamObject = (teamId: number): string => `team:${teamId}`;
/** `role:9`. */
export const roleObject = (roleId: number): string => `role:${roleId}`;
/** `user:42`: a user, and the principal of a system admin or of an owner user. */
export const userObject = (userId: number): string => `user:${userId}`;
/** `team:7#member`: all members of a team as one principal. */
export const teamMembers = (teamId: number): string => `team:${teamId}#member`;
/** `role:9#assignee`: the members of all teams that have a role. */
export const roleAssignees = (roleId: number): string => `role:${roleId}#assignee`;

/** The relation on the organization that a role with this pair gives: `team_mgmt_view_teams`. */
export function pairRelation({ namespace, action }: Pair): string {
  return `${namespace}_${action.replaceAll(' ', '_')}`;
}

/** The built-in right of a team in its organization. */
export function teamRightTuple(organizationId: number, teamId: number, permission: TeamPermission): RelationTuple {
  return {
    user: teamMembers(teamId),
    relation: relationOfPermission[permission],
    object: organizationObject(organizationId),
  };
}

/** One pair of a role of an organization. */
export function rolePairTuple(organizationId: number, roleId: number, pair: Pair): RelationTuple {
  return { user: roleAssignees(roleId), relation: pairRelation(pair), object: organizationObject(organizationId) };
}

/** A role assigned to a team. */
export function assignmentTuple(roleId: number, teamId: number): RelationTuple {
  return { user: teamMembers(teamId), relation: 'assignee', object: roleObject(roleId) };
}

/** The hidden system admin of an organization. */
export function systemAdminTuple(organizationId: number, systemAdminId: number): RelationTuple {
  return { user: userObject(systemAdminId), relation: 'system_admin', object: organizationObject(organizationId) };
}

/** Links an organization to the site, so that site admins hold everything in it. */
export function siteTuple(organizationId: number): RelationTuple {
  return { user: siteObject, relation: 'site', object: organizationObject(organizationId) };
}

/**
 * What only the administrative organization has: its link that repeats the relations of the site, and its admins as
 * those who may change the branding (open-points 2.3).
 */
export function administrativeTuples(organizationId: number): readonly RelationTuple[] {
  const object = organizationObject(organizationId);
  return [
    { user: siteObject, relation: 'administrative_site', object },
    { user: `${object}#admin`, relation: 'branding_editor', object },
  ];
}

/** Relation of an organization's fence (authorization.md, data). */
export const fenceRelation = 'at';

/** The fence of an organization, with a fresh random uuid at each write. */
export function fenceTuple(organizationId: number, revision: string): RelationTuple {
  return { user: `revision:${revision}`, relation: fenceRelation, object: organizationObject(organizationId) };
}

/** The UUID in the user of a fence (`revision:{uuid}`); undefined for any other user. */
export function revisionOf(user: string): string | undefined {
  return user.startsWith('revision:') ? user.slice('revision:'.length) : undefined;
}
