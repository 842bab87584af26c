import { AccountRight } from '@platform/proto/options';

/** The values of an account on which its {@link AccountRight}s depend (open-points 3.1). */
export interface RightsRow {
  readonly kind: 'person' | 'system_admin';
  readonly isAdmin: boolean;
  readonly mayCreateOrganization: boolean;
  readonly isClientOrganizationUser: boolean;
}

/** Returns why an account lacks a right, as a text for users; undefined if the account has the right. */
export type WhyNot = (right: AccountRight, account: RightsRow) => string | undefined;

/** @param settings `allowCreate` is the setting `orgs.allowCreate` */
export function accountRights(settings: { readonly allowCreate: boolean }): WhyNot {
  return (right, account) => {
    if (account.kind === 'system_admin') return 'this needs the token of a user, not of an organization';
    if (account.isAdmin) return undefined;
    if (right !== AccountRight.CREATE_ORGANIZATIONS) return 'this platform does not know the requested right';
    if (!settings.allowCreate) return 'creating organizations is switched off on this platform (orgs.allowCreate)';
    if (!account.mayCreateOrganization) return 'this account may not create organizations';
    return account.isClientOrganizationUser
      ? 'members of client organizations may not create organizations' : undefined;
  };
}
