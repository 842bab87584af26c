import type { Transaction } from '@platform/postgres';
import { sql } from '@platform/postgres';
import type { Admission } from '@platform/rpc';
import { AdmissionChanged } from '@platform/rpc';
import type { RightsRow, WhyNot } from '../domain/account-rights.ts';
import { rightsOf } from '../reports/account-rights.ts';
import { type PrincipalRow, principalsOf } from '../reports/principals.ts';
import { isExpired } from '../reports/token-expiry.ts';
import type { Lock } from './locks.ts';

/**
 * The rows of the caller himself, so that nothing that takes a right from him commits between the look at them and the
 * end of the write. Not taken for update: writes of one caller do not wait for each other.
 */
export function admissionLocks({ callerId, tokenId }: Admission): Lock[] {
  if (callerId === 0) return [];
  return [
    { table: 'account', id: callerId, mode: 'for share' },
    { table: 'access_token', id: tokenId, mode: 'for key share' },
  ];
}

interface AdmissionRow {
  readonly usable: boolean;
  readonly isAdmin: boolean;
  readonly principals: readonly PrincipalRow[] | null;
  /** Null where the decision rests on none. */
  readonly rights: RightsRow | null;
}

/**
 * The guard of every write (authorization.md W2): under the locks, the caller's token, flags, principals and their
 * revisions must still be those of the decision, and a right that it rests on must still be his. A call of the operator
 * or of the platform rests on no rows.
 * @throws AdmissionChanged when they are not: the decision is made anew
 */
export async function confirmAdmission(
  transaction: Transaction, admission: Admission, whyNot: WhyNot,
): Promise<void> {
  if (admission.callerId === 0) return;
  const row = await transaction.maybeOne(
    sql<AdmissionRow>`
      select caller.active and not caller.prohibit_login
               and not ${isExpired(sql`token.expires_at`)} as "usable",
             caller.is_admin as "isAdmin",
             (select ${principalsOf(sql`caller`, sql`organization`)}
                from account organization
               where organization.id = ${admission.organizationId}) as "principals",
             ${admission.right === undefined ? sql`null` : rightsOf(sql`caller`)} as "rights"
        from access_token token
        join account caller on caller.id = token.account_id
       where token.id = ${admission.tokenId} and caller.id = ${admission.callerId}`,
  );
  if (row === undefined || !row.usable || row.isAdmin !== admission.isAdmin) throw new AdmissionChanged();
  if (admission.right !== undefined && whyNot(admission.right, row.rights!) !== undefined) throw new AdmissionChanged();
  // A site admin is admitted for the flag alone.
  if (!admission.isAdmin && !samePrincipals(admission.principals, row.principals ?? [])) throw new AdmissionChanged();
}

function samePrincipals(decided: Admission['principals'], now: readonly PrincipalRow[]): boolean {
  const revisions = new Map(now.map(({ user, revision }) => [user, revision]));
  return decided.length === revisions.size && decided.every(({ user, revision }) => revisions.get(user) === revision);
}
