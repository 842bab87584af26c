import { randomBytes, type webcrypto } from 'node:crypto';
import type { SigningAuthority } from '../authorities/authority.ts';
import * as x509 from '@platform/tls/x509';

/** The content of a licence (open-points 6.1). */
export interface LicenceTerms {
  /** Made by {@link newSerial}. The licence id is the serial in decimal. */
  readonly serial: bigint;
  /** UUID in lower case. */
  readonly clusterId: string;
  readonly ownerId: number;
  readonly plan: LicensedPlan;
  /** At least one feature. A feature contains no white space, comma or semicolon. */
  readonly features: readonly string[];
  readonly flags: LicenceFlags;
  readonly notBefore: Date;
  /** Never later than the end of the authority's certificate. */
  readonly notAfter: Date;
}

/** The plan of a licence. In licences that this service issues, `name` is `{productLine}-{tier}`. */
export type LicensedPlan = { readonly productLine: string; readonly tier: string; readonly name: string };

/** The flags of a licence. Installed verifiers of licences know no other flags. */
export interface LicenceFlags {
  readonly DisableAnalytics?: 'true';
  readonly EnableClientBilling?: 'true';
  /** JSON text (open-points 5.1). */
  readonly Restrictions?: string;
}

/**
 * A licence starts this long before the time of its issue, because clocks differ and installed verifiers allow no
 * difference (open-points 6.1).
 */
export const backdatedMs = 10 * 60_000;

/** 63 random bits, never 0. The table of licences keeps serials unique. */
export function newSerial(): bigint {
  const serial = randomBytes(8).readBigUInt64BE() & ((1n << 63n) - 1n);
  return serial === 0n ? newSerial() : serial;
}

export function licenceEmail(ownerId: number, domain: string): string {
  return `${ownerId}@${domain}`;
}

/** @returns one PEM block `CERTIFICATE` */
export async function signLicence(
  authority: SigningAuthority, terms: LicenceTerms, publicKey: webcrypto.CryptoKey, emailDomain: string,
): Promise<string> {
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialHex(terms.serial),
    subject: subjectOf(terms),
    issuer: authority.subject,
    notBefore: terms.notBefore,
    notAfter: terms.notAfter,
    signingAlgorithm: authority.signingAlgorithm,
    signingKey: authority.key,
    publicKey,
    extensions: [
      publicKey.algorithm.name === 'ECDSA' ? ecdsaUsage : rsaUsage,
      clientUsage,
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: terms.clusterId },
        { type: 'email', value: licenceEmail(terms.ownerId, emailDomain) },
      ]),
      authority.keyIdentifier,
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
const ecdsaUsage = new x509.KeyUsagesExtension(digitalSignature, true);
const rsaUsage = new x509.KeyUsagesExtension(digitalSignature | keyEncipherment, true);
const clientUsage = new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]);

/** Each feature and each flag is a separate attribute. The attribute C contains the product line, not a country. */
function subjectOf({ clusterId, plan, features, flags }: LicenceTerms): x509.Name {
  return new x509.Name([
    { CN: verbatim(clusterId) },
    { C: verbatim(plan.productLine) },
    { ST: verbatim(plan.tier) },
    { OU: verbatim(plan.name) },
    ...features.map((feature) => ({ O: verbatim(feature) })),
    ...Object.entries(flags).map(([flag, value]) => ({ L: verbatim(`${flag}=${value}`) })),
  ]);
}

/** Passes a text as an object, because the library interprets some strings, such as those that begin with `#`. */
function verbatim(utf8String: string): { utf8String: string }[] {
  return [{ utf8String }];
}

function serialHex(serial: bigint): string {
  const hex = serial.toString(16);
  return hex.padStart(hex.length + (hex.length % 2), '0');
}
