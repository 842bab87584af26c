import type { License } from '@platform/proto/contracts/v1/license';
import type { IssuedLicence } from './issue.ts';

/** A licence as the API returns it (spec §2.4, open-points 6.1). */
export function toLicense({ contractId, startsAt, endsAt, pem }: IssuedLicence): License {
  return {
    contract: { id: String(contractId), startTimestamp: rfc3339(startsAt), expiryTimestamp: rfc3339(endsAt) },
    license: Buffer.from(pem),
  };
}

/** Whole seconds in UTC (open-points 1.7). */
function rfc3339(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
