import type { PairName } from './catalogue.ts';
import { describeClass, type ObjectClass, ownersClasses, ownTeamClasses } from './classes.ts';
import { holdsBy, type Rank } from './holders.ts';
import type { RelationRow } from './relation-row.ts';
import { rowsOf } from './table.ts';

export type Subject =
  /** A member of a single team whose built-in right gives this rank; `site_admin`: a site admin who is in no team. */
  | { readonly kind: 'rank'; readonly rank: Rank }
  /** The hidden system admin of the organization. */
  | { readonly kind: 'system_admin' }
  /** A member of a single team without a built-in right. The team has one role, and the role has only this pair. */
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
