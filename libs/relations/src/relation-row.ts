import type { PairName } from './catalogue.ts';

/** The kinds of objects of the authorization model that have relations to check (open-points 2.1). */
export type ObjectType =
  | 'organization' | 'team' | 'role' | 'cluster' | 'clusterset' | 'contract' | 'robot_ac' | 'token' | 'user' | 'site';

/**
 * The lowest holder of a relation (open-points 2.2). The first six are ranks, highest first. A rank also holds the
 * relations of lower ranks. `team_member` is a member of the team. `branding_editor` is an admin or owner of the
 * administrative organization. `account_holder` is the user. Site admins hold every relation.
 */
export type Holder =
  | 'site_admin' | 'owner' | 'admin' | 'editor' | 'viewer' | 'member'
  | 'team_member' | 'branding_editor' | 'account_holder';

export interface RelationRow {
  readonly type: ObjectType;
  readonly relation: string;
  readonly lowest: Holder;
  /** The action that the relation permits, as the end of a sentence with "may". */
  readonly may: string;
  /** Labels of the spec, or operations for which the spec has no label. */
  readonly labels: readonly string[];
  /** Whether the hidden system admin of the organization holds the relation. */
  readonly systemAdmin: boolean;
  /** The pair of the catalogue with which a custom role gives the relation. */
  readonly pair: PairName | undefined;
  /** The lowest holder on the Owners team, if it differs from `lowest`. */
  readonly ownersTeam: Holder | undefined;
  /** Whether members of the team also hold the relation. */
  readonly teamMembers: boolean;
  /** The relation on the linked object from which this relation follows. */
  readonly through: { readonly link: 'organization' | 'cluster'; readonly relation: string } | undefined;
}

type Extra = Partial<Pick<RelationRow, 'labels' | 'systemAdmin' | 'pair' | 'ownersTeam' | 'teamMembers' | 'through'>>;

/** A relation with the usual values of the columns that `extra` leaves out. */
export function row(type: ObjectType, relation: string, lowest: Holder, may: string, extra: Extra = {}): RelationRow {
  return {
    type, relation, lowest, may, labels: [], systemAdmin: false, pair: undefined, ownersTeam: undefined,
    teamMembers: false, through: undefined, ...extra,
  };
}
