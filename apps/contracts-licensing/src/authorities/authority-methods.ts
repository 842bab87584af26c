import type { Authority, LicenseAuthorityServiceService } from '@platform/proto/contracts/v1/license_authority';
import type { Handlers } from '@platform/rpc';
import { resealAll, sealedAnswers } from '@platform/writes';
import type { Parts } from '../parts.ts';
import { secondsOf } from '../values.ts';
import { sealedAuthorities } from './store.ts';

/**
 * Methods for `platform admin license-ca` and `platform admin keys rotate` (operator.md §3), and the list of
 * authorities for site admins.
 */
export function authorityMethods(
  { authorities, database, sealer, log }: Parts,
): Handlers<typeof LicenseAuthorityServiceService> {
  const list = async (): Promise<Authority[]> =>
    (await authorities.list(database)).map(({ fingerprint, certificate, signs }) => ({
      fingerprint, signs, pem: certificate.toString(),
      notBefore: secondsOf(certificate.validFromDate), notAfter: secondsOf(certificate.validToDate),
    }));
  return {
    listSiteAuthorities: async () => ({ cas: await list() }),
    listAuthorities: async () => ({ authorities: await list() }),
    addAuthority: async ({ pem }, context) => {
      const fingerprint = await authorities.add(pem, context);
      log.info({ fingerprint }, 'a licence authority is trusted');
      return { fingerprint };
    },
    useAuthority: async ({ fingerprint = '' }, context) => {
      await authorities.use(fingerprint, context);
      log.info({ fingerprint }, 'a licence authority signs new licences from now on');
      return {};
    },
    removeAuthority: async ({ fingerprint = '' }, context) => {
      await authorities.remove(fingerprint, context);
      log.info({ fingerprint }, 'a licence authority is no longer trusted');
      return {};
    },
    rotateKeys: async (_request, { deadline }) =>
      resealAll((act) => database.transact(act, { deadline }), sealer, [sealedAuthorities, sealedAnswers]),
  };
}
