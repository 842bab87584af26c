import type { PairName } from './catalogue.ts';

/** The types of objects in the authorization model on which relations are checked (open-points 2.1). */
export type ObjectType =
  | 'organization' | 'team' | 'role' | 'cluster' | 'clusterset' | 'contract' | 'robot_ac' | 'token' | 'user' | 'site';

/**
 * The lowest holder of a relation (open-points 2.2). The first six are ranks, highest first. Each rank includes the
 * relations of lower ranks. `team_member` is a member of the team. `branding_editor` is an admin or owner of the
 * administrative organization. `account_holder` is the user who has the account. Site admins hold every relation.
 */
export type Holder =
  | 'site_admin' | 'owner' | 'admin' | 'editor' | 'viewer' | 'member'
  | 'team_member' | 'branding_editor' | 'account_holder';

export interface RelationRow {
  readonly type: ObjectType;
  readonly relation: string;
  readonly lowest: Holder;
  /** The action that the relation permits. It completes the sentence "The caller may …". */
  readonly may: string;
  /** Labels of the spec, such as `edit:org`, and operations, such as `GET /clusters`, that ask for this relation. */
  readonly labels: readonly string[];
  /** Whether the hidden system admin of the organization holds the relation. */
  readonly systemAdmin: boolean;
  /** The pair (a permission in `catalogue`) with which a custom role gives the relation. */
  readonly pair: PairName | undefined;
  /** The lowest holder if the object is the Owners team. Undefined: `lowest` applies to every object. */
  readonly ownersTeam: Holder | undefined;
  /** For an object of the type `team`: whether members of this team also hold the relation. */
  readonly teamMembers: boolean;
  /** The link to a parent object, and the relation on the parent object that gives this relation. */
  readonly through: { readonly link: 'organization' | 'cluster'; readonly relation: string } | undefined;
}

type Extra = Partial<Pick<RelationRow, 'labels' | 'systemAdmin' | 'pair' | 'ownersTeam' | 'teamMembers' | 'through'>>;

/** Returns a row of the table of relations. Columns that `extra` leaves out get their default values. */
export function row(type: ObjectType, relation: string, lowest: Holder, may: string, extra: Extra = {}): RelationRow {
  return {
    type, relation, lowest, may, labels: [], systemAdmin: false, pair: undefined, ownersTeam: undefined,
    teamMembers: false, through: undefined, ...extra,
  };
}
