import type { Deadline } from '@platform/service';
import { generateKeys } from '../authorities/key-type.ts';
import type { Parts } from '../parts.ts';
import { backdatedMs, type LicenceTerms, newSerial, signLicence } from './certificate.ts';

/** The parts of the service that are needed to draft a licence. */
export type Issuer = Pick<Parts, 'config' | 'authorities' | 'signatures'>;

/** A licence that is signed, but not recorded yet. It must not be returned before it is recorded. */
export interface Draft {
  readonly terms: LicenceTerms;
  readonly pem: string;
  /** Fingerprint of the authority. This authority must still be the signing authority when the licence is recorded. */
  readonly signedBy: string;
}

/** The content of a licence without its serial and its exact times. */
export interface Wanted extends Pick<LicenceTerms, 'clusterId' | 'ownerId' | 'plan' | 'features' | 'flags'> {
  /** The wanted end. If the authority ends earlier, the licence ends at the same time. */
  readonly endsAt: Date;
}

/**
 * Signs licences that begin now. Each licence has its own key, whose private part is discarded (open-points 6.1).
 * Signing takes milliseconds of CPU. So licences are signed before any row is locked, accounts take turns, and nothing
 * is signed for a caller who has disconnected.
 * @throws Fault ISSUER_UNAVAILABLE, RATE_LIMITED; DeadlineExceeded
 */
export function draftLicences(
  issuer: Issuer, wanted: readonly Wanted[], now: Date, deadline: Deadline,
): Promise<Draft[]> {
  return issuer.signatures.reserve(wanted.length, async () => {
    const drafts: Draft[] = [];
    for (const one of wanted) {
      drafts.push(await issuer.signatures.take(deadline, () => draftLicence(issuer, one, now, deadline)));
    }
    return drafts;
  });
}

async function draftLicence(
  { config, authorities }: Issuer, { endsAt, ...wanted }: Wanted, now: Date, deadline: Deadline,
): Promise<Draft> {
  const { publicKey } = await generateKeys(config.licenseKeyType);
  const authority = await authorities.signing(deadline);
  const terms: LicenceTerms = {
    ...wanted,
    serial: newSerial(),
    notBefore: wholeSeconds(now.getTime() - backdatedMs),
    notAfter: wholeSeconds(Math.min(endsAt.getTime(), authority.notAfter.getTime())),
  };
  const pem = await signLicence(authority, terms, publicKey, config.licenseEmailDomain);
  return { terms, pem, signedBy: authority.fingerprint };
}

function wholeSeconds(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1000) * 1000);
}
