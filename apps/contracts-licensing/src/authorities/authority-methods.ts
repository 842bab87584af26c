import { LicenseAuthorityServiceService } from '@platform/proto/contracts/v1/license_authority';
import { implement, type Implementation } from '@platform/rpc';
import type { Database } from '@platform/postgres';
import type { Logger } from '@platform/service';
import type { Authorities } from './authorities.ts';

/** `platform admin license-ca` (operator.md §3). */
export function authorityService(
  authorities: Authorities, database: Database, log: Logger,
): Implementation {
  return implement(LicenseAuthorityServiceService, {
    listAuthorities: async () => ({
      authorities: (await authorities.list(database)).map(({ fingerprint, certificate, signs }) => ({
        fingerprint,
        notBefore: secondsOf(certificate.validFromDate),
        notAfter: secondsOf(certificate.validToDate),
        signs,
        pem: certificate.toString(),
      })),
    }),
    addAuthority: async ({ pem }, { deadline }) => {
      const fingerprint = await authorities.add(pem === '' ? undefined : pem, deadline);
      log.info({ fingerprint }, 'an authority of licences is trusted');
      return { fingerprint };
    },
    useAuthority: async ({ fingerprint = '' }, { deadline }) => {
      await authorities.use(fingerprint, deadline);
      log.info({ fingerprint }, 'an authority signs licences from now on');
      return {};
    },
    removeAuthority: async ({ fingerprint = '' }, { deadline }) => {
      await authorities.remove(fingerprint, deadline);
      log.info({ fingerprint }, 'an authority of licences is trusted no longer');
      return {};
    },
  });
}

function secondsOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
