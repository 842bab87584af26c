import type { ObjectClass } from '@platform/relations';
import type { AuditNote } from '@platform/writes';

/** A kind of event (docs/webhooks.md). */
export interface EventKind {
  /** The action of the audit that it follows from. */
  readonly action: string;
  /** What reading the object demands (open-points 18.10). */
  readonly demands: { readonly objectClass: ObjectClass; readonly relation: string };
}

const members = { objectClass: 'organization', relation: 'can_list_teams' } as const;
const roles = { objectClass: 'role', relation: 'can_view' } as const;
const teams = { objectClass: 'team', relation: 'can_view' } as const;

/** All kinds by name. The scope of each is `read:organization`, which the scope of the routes includes. */
export const eventKinds: Readonly<Record<string, EventKind>> = {
  'member.added': { action: 'team.add_member', demands: members },
  'member.removed': { action: 'team.remove_member', demands: members },
  'role.created': { action: 'role.create', demands: roles },
  'role.updated': { action: 'role.update', demands: roles },
  'role.deleted': { action: 'role.delete', demands: roles },
  'team.created': { action: 'team.create', demands: teams },
  'team.updated': { action: 'team.update', demands: teams },
  'team.deleted': { action: 'team.delete', demands: teams },
};
const kindOfAction = new Map(Object.entries(eventKinds).map(([kind, { action }]) => [action, kind]));

/** An event of an organization. Events of one subject are delivered in order. */
export interface OrganizationEvent {
  readonly organizationId: number;
  readonly kind: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events that follow from a recorded change: one for each member, else one or none. */
export function eventsOf(
  { action, object, organizationId, subjectIds = [], details = {} }: AuditNote,
): OrganizationEvent[] {
  const kind = kindOfAction.get(action);
  if (kind === undefined || organizationId === undefined) return [];
  const [type = '', id] = object.split(':');
  const data = { organizationID: organizationId, [`${type}ID`]: Number(id) };
  if (!kind.startsWith('member.')) return [{ organizationId, kind, subject: object, data: { ...data, details } }];
  return subjectIds.map((userId) => {
    return { organizationId, kind, subject: `${object}/user:${userId}`, data: { ...data, userID: userId } };
  });
}
