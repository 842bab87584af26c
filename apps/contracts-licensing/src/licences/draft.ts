import type { Deadline } from '@platform/service';
import { generateKeys } from '../authorities/key-type.ts';
import type { Parts } from '../parts.ts';
import { wholeSecond } from '../values.ts';
import { backdatedMs, type LicenceTerms, newSerial, signLicence } from './certificate.ts';

type Issuer = Pick<Parts, 'config' | 'authorities' | 'signatures'>;

/** A licence that is signed, but must be recorded before it is returned. */
export interface Draft {
  readonly terms: LicenceTerms;
  readonly pem: string;
  /**
   * Fingerprint of the authority that signed. The licence is recorded only if this authority is still the signing
   * authority.
   */
  readonly signedBy: string;
}

/** The content of a licence without its serial and its exact times. */
export interface Wanted extends Pick<LicenceTerms, 'clusterId' | 'ownerId' | 'plan' | 'features' | 'flags'> {
  /** Requested end. The licence ends earlier if the authority's certificate ends earlier. */
  readonly endsAt: Date;
}

/**
 * Signs licences. Each has its own key, and the private key is discarded (open-points 6.1). Signing takes milliseconds
 * of CPU, so accounts take turns. Call this before rows are locked.
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
    notBefore: wholeSecond(now.getTime() - backdatedMs),
    notAfter: wholeSecond(Math.min(endsAt.getTime(), authority.notAfter.getTime())),
  };
  const pem = await signLicence(authority, terms, publicKey, config.licenseEmailDomain);
  return { terms, pem, signedBy: authority.fingerprint };
}
