import type { PairName } from './catalogue.ts';
import { describeClass, type ObjectClass, ownersClasses, ownTeamClasses } from './classes.ts';
import { holdsBy, type Rank } from './holders.ts';
import type { RelationRow } from './relation-row.ts';
import { rowsOf } from './table.ts';

export type Subject =
  /**
   * A member of a single team. The built-in right of the team gives this rank; a team without a built-in right gives
   * `member`. The rank `site_admin` means a site admin who is in no team.
   */
  | { readonly kind: 'rank'; readonly rank: Rank }
  /** The hidden system admin of the organization. */
  | { readonly kind: 'system_admin' }
  /** A member of a single team. The team has no built-in right, and one role, whose only permission is this pair. */
  | { readonly kind: 'pair'; readonly pair: PairName }
  /** The user who owns the object. */
  | { readonly kind: 'owner_user' };

/** Returns the relations of a subject on the objects of a class, ascending. The engine must give the same answer. */
export function expectedRelations(subject: Subject, objectClass: ObjectClass): string[] {
  const known = describeClass(objectClass);
  if (subject.kind === 'rank' && subject.rank === 'site_admin') return [...known.checkable];
  if ((subject.kind === 'owner_user') !== (known.owner === 'user')) return [];
  if (subject.kind === 'owner_user') return [...known.checkable];
  return rowsOf(known.type).filter((row) => holds(subject, row, objectClass)).map(({ relation }) => relation).sort();
}

function holds(subject: Subject, row: RelationRow, objectClass: ObjectClass): boolean {
  const onOwners = ownersClasses.has(objectClass);
  const asMember = row.teamMembers && ownTeamClasses.has(objectClass);
  switch (subject.kind) {
    case 'system_admin':
      return row.systemAdmin;
    case 'rank':
      if (objectClass === 'administrative_organization' && row.lowest === 'branding_editor') {
        return subject.rank === 'admin' || subject.rank === 'owner';
      }
      return holdsBy(row, subject.rank, onOwners) || asMember;
    case 'pair':
      return holdsBy(row, 'member', onOwners) || asMember || (row.pair === subject.pair && !onOwners);
    case 'owner_user':
      return true;
  }
}
