import { createHash, createPrivateKey, KeyObject, randomBytes, X509Certificate, type webcrypto } from 'node:crypto';
import * as x509 from '@platform/tls/x509';
import { generateKeys, type KeyType, signingAlgorithm } from './key-type.ts';

/** An authority in PEM. The key is PKCS#8, or undefined if only the certificate is given. */
export interface AuthorityPem {
  readonly certificate: string;
  readonly key: string | undefined;
}

/** An authority whose licences the service accepts. */
export interface TrustedAuthority {
  /** SHA-256 of the certificate in DER: 64 lower-case hexadecimal characters (open-points 6.5). */
  readonly fingerprint: string;
  readonly certificate: X509Certificate;
}

/** An authority that is prepared for signing. */
export interface SigningAuthority {
  readonly fingerprint: string;
  readonly subject: x509.Name;
  readonly notAfter: Date;
  readonly key: webcrypto.CryptoKey;
  readonly signingAlgorithm: NonNullable<ReturnType<typeof signingAlgorithm>>;
  readonly keyIdentifier: x509.AuthorityKeyIdentifierExtension;
}

export class AuthorityRefused extends Error {
  override readonly name = 'AuthorityRefused';
}

const dayMs = 86_400_000;
/** Validity of a new authority, in days. It is long, because all verifiers must be updated for a new certificate. */
const validDays = 3_650;
const clientAuth = '1.3.6.1.5.5.7.3.2';

/** Creates a self-signed authority. It signs licences without intermediate certificates (open-points 6.1). */
export async function makeAuthority(type: KeyType): Promise<AuthorityPem> {
  const keys = await generateKeys(type);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(8).toString('hex'),
    // A random name, so that a verifier can distinguish two trusted authorities.
    name: `CN=Platform licence authority ${randomBytes(4).toString('hex')}`,
    // The clocks of other machines may be behind.
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + validDays * dayMs),
    signingAlgorithm: { hash: 'SHA-256' },
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: `${certificate.toString('pem')}\n`, key: pkcs8Of(KeyObject.from(keys.privateKey)) };
}

/**
 * Parses a PEM text that contains one certificate, with or without its PKCS#8 key, in any order (open-points 6.5).
 * @throws AuthorityRefused for other or unreadable contents, for a certificate that cannot be an authority for licences
 *   now, and for a key that does not belong to the certificate
 */
export function readAuthority(pem: string): AuthorityPem {
  const blocks = [...pem.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g)];
  const [certificate, ...moreCertificates] = blocks.filter(([, label]) => label === 'CERTIFICATE');
  const [key, ...moreKeys] = blocks.filter(([, label]) => label === 'PRIVATE KEY');
  if (certificate === undefined || moreCertificates.length + moreKeys.length > 0) {
    throw new AuthorityRefused('the PEM text must contain one certificate and at most one key');
  }
  if (blocks.length !== (key === undefined ? 1 : 2)) {
    throw new AuthorityRefused('the PEM text may contain only a certificate and an unencrypted PKCS#8 key');
  }
  const x509Certificate = parsed(() => new X509Certificate(certificate[0]), 'the certificate cannot be read');
  refuseUnfit(x509Certificate);
  if (key === undefined) return { certificate: x509Certificate.toString(), key: undefined };
  const privateKey = parsed(() => createPrivateKey(key[0]), 'the key cannot be read');
  if (!x509Certificate.checkPrivateKey(privateKey)) {
    throw new AuthorityRefused('the key does not belong to the certificate');
  }
  return { certificate: x509Certificate.toString(), key: pkcs8Of(privateKey) };
}

function pkcs8Of(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function trustedAuthority(certificatePem: string): TrustedAuthority {
  const certificate = new X509Certificate(certificatePem);
  return { certificate, fingerprint: fingerprintOf(certificate.raw) };
}

/** Prepares an authority for signing. @throws AuthorityRefused without a key that can sign */
export async function signingAuthority({ certificate: pem, key }: AuthorityPem): Promise<SigningAuthority> {
  if (key === undefined) throw new AuthorityRefused('an authority without its key cannot sign');
  const certificate = new x509.X509Certificate(pem);
  const privateKey = createPrivateKey(key);
  const algorithm = signingAlgorithm(privateKey);
  if (algorithm === undefined) {
    throw new AuthorityRefused('the key must be ECDSA with P-256, P-384 or P-521, or RSA of at least 2048 bits');
  }
  return {
    fingerprint: fingerprintOf(new Uint8Array(certificate.rawData)),
    subject: certificate.subjectName,
    notAfter: certificate.notAfter,
    key: privateKey.toCryptoKey(algorithm, false, ['sign']),
    signingAlgorithm: algorithm,
    keyIdentifier: await keyIdentifierOf(certificate),
  };
}

/**
 * Returns the authority key identifier for licences: the subject key identifier in the authority's certificate. If the
 * certificate has none, computes an identifier from the public key.
 */
async function keyIdentifierOf(certificate: x509.X509Certificate): Promise<x509.AuthorityKeyIdentifierExtension> {
  const own = certificate.getExtension(x509.SubjectKeyIdentifierExtension);
  if (own !== null) return new x509.AuthorityKeyIdentifierExtension(own.keyId);
  return x509.AuthorityKeyIdentifierExtension.create(certificate.publicKey);
}

export function fingerprintOf(der: Uint8Array): string {
  return createHash('sha256').update(der).digest('hex');
}

/** @throws AuthorityRefused for a certificate that cannot be an authority for licences now (open-points 6.1) */
function refuseUnfit(certificate: X509Certificate): void {
  const { extensions } = new x509.X509Certificate(certificate.raw);
  const usages = extensions.find((extension) => extension instanceof x509.KeyUsagesExtension)?.usages;
  const extended = extensions.find((extension) => extension instanceof x509.ExtendedKeyUsageExtension)?.usages ?? [];
  if (!certificate.ca || usages === undefined || (usages & x509.KeyUsageFlags.keyCertSign) === 0) {
    throw new AuthorityRefused('the certificate is not a certificate authority: CA:TRUE and keyCertSign are required');
  }
  if (extended.some((usage) => usage !== clientAuth)) {
    throw new AuthorityRefused('the certificate has an extended key usage other than clientAuth');
  }
  if (signingAlgorithm(certificate.publicKey) === undefined) {
    throw new AuthorityRefused(
      "the certificate's key must be ECDSA with P-256, P-384 or P-521, or RSA of at least 2048 bits");
  }
  if (certificate.validToDate.getTime() <= Date.now()) throw new AuthorityRefused('the certificate has expired');
  if (certificate.validFromDate.getTime() > Date.now()) throw new AuthorityRefused('the certificate is not valid yet');
}

function parsed<Result>(read: () => Result, message: string): Result {
  try {
    return read();
  } catch (cause) {
    throw new AuthorityRefused(message, { cause });
  }
}
