import { randomBytes, webcrypto, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { identityUri, type PeerIdentity } from './identity.ts';
import type { TlsFiles } from './watched-tls.ts';
import type * as x509Types from './x509.ts';

export interface CertificateRequest extends PeerIdentity {
  /** DNS names and addresses of the process that uses the certificate; empty for a process that only calls others. */
  readonly hosts: readonly string[];
}

export interface IssuedFiles extends TlsFiles { readonly ca: string }

export interface Authority {
  /** Path of the authority's own certificate (PEM). */
  readonly file: string;
  /** Creates a key and a certificate, which replace the previous files of the same name. Returns the paths. */
  issue(request: CertificateRequest): Promise<IssuedFiles>;
}

const dayMs = 86_400_000;
const authorityDays = 3_650;
/** An authority is replaced when it is opened less than this many days before it expires. */
const authorityReserveDays = 30;
/**
 * Default lifetime of a certificate, in days. It is short, because a stolen key works until the certificate expires.
 */
const certificateDays = 7;
/** Certificates become valid this long before their creation, because clocks may be behind or be set back. */
const backdatedMs = dayMs;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * Opens the authority in a folder. Creates a new authority if the folder has none, or if the present one expires soon.
 * @param validMs lifetime of the certificates that the authority issues, in milliseconds
 */
export async function openAuthority(folder: string, validMs: number = certificateDays * dayMs): Promise<Authority> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  // The library is loaded on demand, because most processes only read certificates and do not issue them.
  const x509 = await import('./x509.ts');
  const file = join(folder, 'ca.pem');
  const keyFile = join(folder, 'ca.key');
  const { certificate, key } = (await keptAuthority(x509, file, keyFile)) ?? (await newAuthority(x509, file, keyFile));

  return {
    file,
    issue: async ({ role, name, hosts }) => {
      const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
      const { clientAuth, serverAuth } = x509.ExtendedKeyUsage;
      const issued = await x509.X509CertificateGenerator.create({
        serialNumber: serialNumber(), subject: `CN=${name}`, issuer: certificate.subject,
        notBefore: new Date(Date.now() - backdatedMs),
        notAfter: new Date(Math.min(Date.now() + validMs, certificate.notAfter.getTime())),
        signingAlgorithm: algorithm, publicKey: keys.publicKey, signingKey: key,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension(hosts.length > 0 ? [clientAuth, serverAuth] : [clientAuth]),
          new x509.SubjectAlternativeNameExtension([
            { type: 'url', value: identityUri({ role, name }) },
            ...hosts.map((host) => ({ type: isIP(host) === 0 ? ('dns' as const) : ('ip' as const), value: host })),
          ]),
          await x509.AuthorityKeyIdentifierExtension.create(certificate.publicKey),
          await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
        ],
      });
      const files = { ca: file, certificate: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
      // Between the two writes, key and certificate do not match. A process that watches the files reads them again.
      await replace(files.key, await pemOf(keys.privateKey), 0o600);
      await replace(files.certificate, issued.toString('pem'), 0o644);
      return files;
    },
  };
}

type Library = typeof x509Types;

interface AuthorityPair { readonly certificate: x509Types.X509Certificate; readonly key: webcrypto.CryptoKey }

async function keptAuthority(x509: Library, file: string, keyFile: string): Promise<AuthorityPair | undefined> {
  try {
    const pem = await readFile(file, 'utf8');
    if (new X509Certificate(pem).validToDate.getTime() < Date.now() + authorityReserveDays * dayMs) return undefined;
    const der = x509.PemConverter.decodeFirst(await readFile(keyFile, 'utf8'));
    const key = await webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
    return { certificate: new x509.X509Certificate(pem), key };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function newAuthority(x509: Library, file: string, keyFile: string): Promise<AuthorityPair> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    // Two platforms on one machine have two authorities. A random name distinguishes them.
    name: `CN=Platform authority ${randomBytes(4).toString('hex')}`,
    notBefore: new Date(Date.now() - backdatedMs),
    notAfter: new Date(Date.now() + authorityDays * dayMs),
    signingAlgorithm: algorithm, keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  await replace(keyFile, await pemOf(keys.privateKey), 0o600);
  await replace(file, certificate.toString('pem'), 0o644);
  return { certificate, key: keys.privateKey };
}

/** Returns a serial number of 127 random bits. It is positive, as RFC 5280 requires. */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0]! &= 0x7f;
  return bytes.toString('hex');
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const body = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key)).toString('base64').match(/.{1,64}/g)!;
  return ['-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----', ''].join('\n');
}

/** Writes a file atomically: readers see the old or the new content, even after a crash of the machine. */
async function replace(file: string, content: string, mode: number): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, content, { mode, flag: 'wx', flush: true });
  await rename(draft, file);
}
