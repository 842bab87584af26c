import { creationDenied } from './faults.ts';
import type { CreationRights } from './reports/creation-rights.ts';

/**
 * Who may create organizations, and so claim them (open-points 3.1, 11.5).
 * @param allowCreate setting `orgs.allowCreate`
 * @throws Fault ORG_CREATION_DENIED
 */
export function refuseWithoutCreationRight(allowCreate: boolean, rights: CreationRights): void {
  if (rights.isSystemAdmin) throw creationDenied('the token of an organization cannot create or claim organizations');
  if (rights.isAdmin) return;
  if (!allowCreate) throw creationDenied('creating organizations is switched off on this platform (orgs.allowCreate)');
  if (!rights.mayCreateOrganization) throw creationDenied('this account may not create organizations');
  if (rights.clientOrganizationUser) throw creationDenied('client-organization users may not create organizations');
}
