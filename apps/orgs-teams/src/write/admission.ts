import { sql, type Transaction } from '@platform/postgres';
import type { Principal } from '@platform/proto/orgs/v1/identity';
import { type Admission, AdmissionChanged } from '@platform/rpc';
import { conflict } from '@platform/values';
import type { AdmissionCheck } from '@platform/writes';
import type { RightsRow, WhyNot } from '../standing/account-rights.ts';
import { isOver } from '../standing/clock.ts';
import { principalsOf } from '../standing/principals.ts';
import { rightsOf } from '../standing/standing.ts';

interface AdmissionRow {
  readonly usable: boolean;
  readonly isAdmin: boolean;
  /** Whether the organization is a client organization that is being deleted (open-points 4.4). */
  readonly deleting: boolean;
  readonly principals: readonly Principal[] | null;
  /** Null if {@link Admission.right} is undefined. */
  readonly rights: RightsRow | null;
}

/**
 * Reads the caller's rows again under locks, to confirm that the caller may still do what the guard admitted
 * (authorization.md W2). The locks are shared, so that writes of one caller can run at the same time.
 */
export function confirmedByRows(whyNot: WhyNot): AdmissionCheck<'account' | 'access_token'> {
  return {
    begin: async ({ admission }) => {
      const { callerId, tokenId } = admission;
      // The operator and the platform itself are admitted by a credential, not by rows.
      const restsOnRows = callerId !== 0;
      return {
        locks: !restsOnRows ? [] : [
          { table: 'account', key: callerId, mode: 'for share' },
          { table: 'access_token', key: tokenId, mode: 'for key share' },
        ],
        confirm: async (transaction) => {
          if (restsOnRows) await confirm(transaction, admission, whyNot);
        },
        beforeCommit: () => undefined,
      };
    },
  };
}

/**
 * Reads the caller's token, flags, and principals with their revisions, after the locks were taken.
 * @throws AdmissionChanged if these values differ from the values that the guard has seen (principals do not count for
 *   site admins), or the caller no longer has the required right; Fault CONFLICT for an organization that is being
 *   deleted
 */
async function confirm(transaction: Transaction, admission: Admission, whyNot: WhyNot): Promise<void> {
  const row = await transaction.maybeOne(sql<AdmissionRow>`
    select caller.active and not caller.prohibit_login and not ${isOver(sql`token`)} as "usable",
           caller.is_admin as "isAdmin",
           exists (select from organization
                    where id = ${admission.organizationId} and deleting_at is not null) as "deleting",
           (select ${principalsOf(sql`caller`, sql`organization`)}
              from account organization
             where organization.id = ${admission.organizationId}) as "principals",
           ${admission.right === undefined ? sql`null` : rightsOf(sql`caller`)} as "rights"
      from access_token token
      join account caller on caller.id = token.account_id
     where token.id = ${admission.tokenId} and caller.id = ${admission.callerId}`);
  if (row === undefined || !row.usable || row.isAdmin !== admission.isAdmin) throw new AdmissionChanged();
  if (admission.right !== undefined && whyNot(admission.right, row.rights!) !== undefined) throw new AdmissionChanged();
  if (row.deleting) throw conflict('this organization is being deleted');
  // Site admins are admitted by their flag alone, so their principals do not matter.
  if (!admission.isAdmin && !samePrincipals(admission.principals, row.principals ?? [])) throw new AdmissionChanged();
}

function samePrincipals(decided: Admission['principals'], now: readonly Principal[]): boolean {
  const revisions = new Map(now.map(({ user, revision }) => [user, revision]));
  return decided.length === revisions.size && decided.every(({ user, revision }) => revisions.get(user) === revision);
}
