import { Fault } from '@platform/faults';
import { type Queryable, sql } from '@platform/postgres';
import { normalDomain } from '@platform/values';

/** Refuses a sign-up that is not permitted (open-points 18.4). @throws Fault REGISTRATION_DISABLED, INVALID_DOMAIN */
export async function refuseUnlessOpen(queryable: Queryable, email: string): Promise<void> {
  const domain = normalDomain(email.slice(email.lastIndexOf('@') + 1)) ?? '';
  const { isDisabled, isAllowed } = await queryable.one(sql<{ isDisabled: boolean; isAllowed: boolean }>`
    select registration_disabled as "isDisabled",
           allowed_domains = '{}' or ${domain} = any (allowed_domains) as "isAllowed"
      from site_setting`);
  if (isDisabled) throw new Fault('REGISTRATION_DISABLED', 'sign-up is disabled; ask somebody to invite you');
  if (!isAllowed) throw new Fault('INVALID_DOMAIN', 'addresses of this domain cannot sign up here');
}
