import type { ObjectClass } from '@platform/relations';
import type { AuditNote } from '@platform/writes';

/** A kind of event (docs/webhooks.md), with the rights that are needed to read its object (open-points 18.10). */
interface EventKind {
  /** `site`: only site admins may read the object, so only webhook endpoints of the site get the event. */
  readonly demands: { readonly objectClass: ObjectClass; readonly relation: string } | 'site';
  /**
   * An endpoint gets the event only if its scopes cover this scope. The endpoint has the scopes of the token with which
   * it was created or last changed.
   */
  readonly scope: string;
  /** The audit action that causes the event; absent if another service hands the event over (ADR 0270). */
  readonly action?: string;
}

const ofOrganization = { scope: 'read:organization' };
const member = { demands: { objectClass: 'organization', relation: 'can_list_teams' }, ...ofOrganization } as const;
const role = { demands: { objectClass: 'role', relation: 'can_view' }, ...ofOrganization } as const;
const team = { demands: { objectClass: 'team', relation: 'can_view' }, ...ofOrganization } as const;
const contract = { demands: { objectClass: 'contract', relation: 'can_view' }, scope: 'read:contract' } as const;
const cluster = { demands: { objectClass: 'cluster', relation: 'can_view' }, scope: 'read:cluster' } as const;

export const eventKinds: Readonly<Record<string, EventKind>> = {
  'member.added': { action: 'team.add_member', ...member },
  'member.removed': { action: 'team.remove_member', ...member },
  'role.created': { action: 'role.create', ...role },
  'role.updated': { action: 'role.update', ...role },
  'role.deleted': { action: 'role.delete', ...role },
  'team.created': { action: 'team.create', ...team },
  'team.updated': { action: 'team.update', ...team },
  'team.deleted': { action: 'team.delete', ...team },
  'contract.created': contract,
  'contract.extended': contract,
  'contract.revoked': contract,
  'contract.ending': contract,
  'quota.threshold_reached': contract,
  'license.issued': contract,
  'license.ending': contract,
  'cluster.imported': cluster,
  'cluster.removed': cluster,
  'cluster.lost': cluster,
  'subscription.state_changed': { demands: 'site', scope: 'read:admin' },
  'usage.month_final': { demands: 'site', scope: 'read:usage' },
};
const kindOfAction = new Map(Object.entries(eventKinds).map(([kind, { action }]) => [action, kind]));

/** An event for webhooks. An endpoint gets the events of one `subject` in order. */
export interface NewEvent {
  /** Null if no organization owns the object. Then only endpoints of the site get the event. */
  readonly organizationId: number | null;
  readonly kind: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Returns the events of a change. A change of members causes one event per member in `subjectIds`. Any other change
 * causes at most one event.
 */
export function eventsOf({ action, object, organizationId, subjectIds = [], details = {} }: AuditNote): NewEvent[] {
  const kind = kindOfAction.get(action);
  if (kind === undefined || organizationId === undefined) return [];
  const [type = '', id] = object.split(':');
  const data = { organizationID: organizationId, [`${type}ID`]: Number(id) };
  if (!kind.startsWith('member.')) return [{ organizationId, kind, subject: object, data: { ...data, details } }];
  return subjectIds.map((userId) => {
    return { organizationId, kind, subject: `${object}/user:${userId}`, data: { ...data, userID: userId } };
  });
}
