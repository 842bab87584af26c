import type { Queryable } from '@platform/postgres';
import { AdmissionChanged, type CallContext } from '@platform/rpc';
import { creationDenied } from './faults.ts';
import { readCreationRights } from './reports/creation-rights.ts';

/**
 * Who may create organizations, and so claim them (open-points 3.1, 11.5).
 * @param queryable the transaction of the write once the caller's account is locked: his rights are no part of the
 *   admission, so they are looked at twice
 * @param allowCreate setting `orgs.allowCreate`
 * @throws Fault ORG_CREATION_DENIED, AdmissionChanged when the account is gone
 */
export async function refuseWithoutCreationRight(
  queryable: Queryable,
  allowCreate: boolean,
  { caller, deadline }: CallContext,
): Promise<void> {
  const rights = await readCreationRights(queryable, caller!.id, deadline);
  if (rights === undefined) throw new AdmissionChanged();
  if (rights.isSystemAdmin) throw creationDenied('the token of an organization cannot create or claim organizations');
  if (rights.isAdmin) return;
  if (!allowCreate) throw creationDenied('creating organizations is switched off on this platform (orgs.allowCreate)');
  if (!rights.mayCreateOrganization) throw creationDenied('this account may not create organizations');
  if (rights.clientOrganizationUser) throw creationDenied('client-organization users may not create organizations');
}
