import { X509Certificate } from 'node:crypto';
import type { TrustedAuthority } from '../authorities/authority.ts';
import * as x509 from '@platform/tls/x509';
import { backdatedMs, type LicensedPlan } from './certificate.ts';

/** What `/register` requires of a licence (open-points 6.3). */
interface LicenceCheck {
  readonly trusted: readonly TrustedAuthority[];
  /** UUID in lower case. */
  readonly clusterId: string;
  /** The licence must have at least one of these features. */
  readonly features: readonly string[];
  /** The setting `license.emailDomain`. */
  readonly emailDomain: string;
  readonly now: Date;
}

export interface VerifiedLicence {
  /** Serial in decimal. */
  readonly id: string;
  readonly ownerId: number;
  readonly plan: LicensedPlan;
  readonly features: readonly string[];
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export class LicenceRefused extends Error {
  override readonly name = 'LicenceRefused';
}

/**
 * Verifies a licence for a cluster (open-points 6.3). The start of the licence may be up to 10 minutes in the future,
 * because clocks differ.
 * @throws LicenceRefused
 */
export function verifyLicence(pem: string, check: LicenceCheck): VerifiedLicence {
  const der = onePem(pem);
  if (der === undefined) throw new LicenceRefused('the licence is not exactly one PEM certificate');
  const certificate = readCertificate(der);
  refuseForeign(certificate, check);
  refuseTimes(certificate, check.now);
  const { subject, usages, hosts, emails } = readContents(der);
  if (!usages.includes(x509.ExtendedKeyUsage.clientAuth)) {
    throw new LicenceRefused('the licence does not have the extended key usage clientAuth');
  }
  if (hosts.length !== 1 || hosts[0]!.toLowerCase() !== check.clusterId) {
    throw new LicenceRefused('the licence must contain exactly one DNS name, the UID of the cluster');
  }
  const features = subject.getField('O');
  if (!check.features.some((feature) => features.includes(feature))) {
    throw new LicenceRefused('the licence has none of the requested features');
  }
  return {
    id: idOf(certificate),
    ownerId: ownerOf(emails, check.emailDomain),
    plan: planOf(subject),
    features,
    notBefore: certificate.validFromDate,
    notAfter: certificate.validToDate,
  };
}

/** The serial in decimal. @throws LicenceRefused unless it is positive and has at most 63 bits (open-points 6.1) */
function idOf({ serialNumber }: X509Certificate): string {
  const serial = /^[0-9A-F]{1,16}$/.test(serialNumber) ? BigInt(`0x${serialNumber}`) : 0n;
  if (serial < 1n || serial >= 1n << 63n) {
    throw new LicenceRefused('the serial of the licence is not positive, or has over 63 bits');
  }
  return serial.toString();
}

/** Refuses a licence that is a certificate of an authority, or whose authority is not trusted or has expired. */
function refuseForeign(certificate: X509Certificate, { trusted, now }: LicenceCheck): void {
  if (certificate.ca) throw new LicenceRefused('the licence is the certificate of an authority');
  const issuer = trusted.find(({ certificate: ca }) => certificate.checkIssued(ca) && certificate.verify(ca.publicKey));
  if (issuer === undefined) throw new LicenceRefused('no trusted authority has signed the licence');
  if (issuer.certificate.validToDate < now) throw new LicenceRefused('the authority of the licence has expired');
}

function refuseTimes({ validFromDate, validToDate }: X509Certificate, now: Date): void {
  if (validToDate < now) throw new LicenceRefused('the licence has expired');
  if (validFromDate.getTime() - backdatedMs > now.getTime()) throw new LicenceRefused('the licence is not valid yet');
}

function ownerOf(emails: readonly string[], domain: string): number {
  const [email = '', ...others] = emails;
  const [, digits] = /^([1-9][0-9]{0,15})@/.exec(email) ?? [];
  const ownerId = Number(digits);
  if (others.length > 0 || email !== `${digits}@${domain}` || !Number.isSafeInteger(ownerId)) {
    throw new LicenceRefused(`the licence must contain exactly one e-mail address: {account id}@${domain}`);
  }
  return ownerId;
}

/** A missing product line or tier is derived from the name of the plan (open-points 6.1). */
function planOf(subject: x509.Name): LicensedPlan {
  const [name = ''] = subject.getField('OU');
  const [, lineInName = '', tierInName = ''] = /^(.+)-([^-]+)$/.exec(name) ?? [];
  const productLine = subject.getField('C').find(isSet) ?? lineInName;
  const tier = subject.getField('ST').find(isSet) ?? tierInName;
  if (![name, productLine, tier].every(isSet)) throw new LicenceRefused('the licence has no plan');
  return { productLine, tier, name };
}

function isSet(text: string): boolean {
  return text !== '';
}

/** Text may precede the block (RFC 7468 §2), as in the output of `openssl x509 -text`. */
const pemBlock =
  /^(?:[^-]|-(?!----))*-----BEGIN CERTIFICATE-----[ \t]*\r?\n([A-Za-z0-9+/=\r\n \t]+)-----END CERTIFICATE-----\s*$/;

/** Returns the DER of a PEM text; undefined unless the text has exactly one PEM certificate, in canonical base64. */
export function onePem(text: string): Buffer | undefined {
  const body = pemBlock.exec(text)?.[1]?.replaceAll(/[\r\n \t]/g, '');
  if (body === undefined) return undefined;
  const der = Buffer.from(body, 'base64');
  return der.toString('base64') === body ? der : undefined;
}

function readCertificate(der: Buffer): X509Certificate {
  const certificate = readable(() => new X509Certificate(der));
  // The signature can be valid even if bytes were appended or the encoding is not DER.
  if (!certificate.raw.equals(der)) throw new LicenceRefused('the PEM block is not exactly one certificate in DER');
  return certificate;
}

/** Reads names and extensions of a certificate with a verified signature. Node's class returns names only as text. */
function readContents(der: Buffer) {
  return readable(() => {
    const { subjectName: subject, extensions } = new x509.X509Certificate(der);
    if (new Set(extensions.map(({ type }) => type)).size < extensions.length) {
      throw new LicenceRefused('the licence has an extension twice');
    }
    const usages = extensions.find((one) => one instanceof x509.ExtendedKeyUsageExtension)?.usages ?? [];
    const names = extensions.find((one) => one instanceof x509.SubjectAlternativeNameExtension)?.names.items ?? [];
    const named = (type: string): string[] => names.filter((name) => name.type === type).map(({ value }) => value);
    return { subject, usages: usages.map(String), hosts: named('dns'), emails: named('email') };
  });
}

/** Runs `read`, and turns any error of the libraries into a refusal. @throws LicenceRefused */
function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    throw cause instanceof LicenceRefused ? cause : new LicenceRefused('the licence cannot be read', { cause });
  }
}
