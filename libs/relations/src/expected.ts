import type { PairName } from './catalogue.ts';
import { describeClass, type ObjectClass, ownersClasses, ownTeamClasses } from './classes.ts';
import { holdsBy, type Rank } from './holders.ts';
import type { RelationRow } from './relation-row.ts';
import { rowsOf } from './table.ts';

/** A kind of caller that the policy distinguishes. */
export type Subject =
  /** A member of a team with this right; `site_admin` is a site admin who is in no team. */
  | { readonly kind: 'rank'; readonly rank: Rank }
  /** The hidden system admin of the organization. */
  | { readonly kind: 'system_admin' }
  /** A member of only one team, which has no built-in right and one role. The role has only this pair. */
  | { readonly kind: 'pair'; readonly pair: PairName }
  /** The user who owns the object. */
  | { readonly kind: 'owner_user' };

/**
 * The relations that a subject holds on the objects of a class according to the table, ascending. The engine must give
 * the same answer through the model. The golden policy is compared with both.
 */
export function expectedRelations(subject: Subject, objectClass: ObjectClass): string[] {
  const known = describeClass(objectClass);
  if (subject.kind === 'rank' && subject.rank === 'site_admin') return [...known.checkable];
  if ((subject.kind === 'owner_user') !== (known.owner === 'user')) return [];
  if (subject.kind === 'owner_user') return [...known.checkable];
  const place = { owners: ownersClasses.has(objectClass), own: ownTeamClasses.has(objectClass) };
  const administrative = objectClass === 'administrative_organization';
  return rowsOf(known.type)
    .filter((row) => holds(subject, row, place) || (administrative && brands(subject, row)))
    .map(({ relation }) => relation)
    .sort();
}

function holds(subject: Subject, row: RelationRow, place: { owners: boolean; own: boolean }): boolean {
  switch (subject.kind) {
    case 'system_admin':
      return row.systemAdmin;
    case 'rank':
      return holdsBy(row, subject.rank, place.owners) || (place.own && row.teamMembers);
    case 'pair':
      return holdsBy(row, 'member', place.owners) || (place.own && row.teamMembers)
        || (row.pair === subject.pair && !place.owners);
    case 'owner_user':
      return true;
  }
}

/** Only admins of the administrative organization may change the branding. */
function brands(subject: Subject, row: RelationRow): boolean {
  return row.lowest === 'branding_editor' && subject.kind === 'rank'
    && (subject.rank === 'admin' || subject.rank === 'owner');
}
