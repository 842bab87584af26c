import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Logger, loop } from '@platform/service';

/** Paths of PEM files. */
export interface TlsFiles {
  /** Certificate of the authority that signs the certificates of peers; undefined: Node's default authorities. */
  readonly ca?: string | undefined;
  /** The certificate of the process itself, followed by intermediate certificates, if any. */
  readonly certificate: string;
  readonly key: string;
}

export interface TlsMaterial {
  readonly ca: Buffer | undefined;
  readonly certificate: Buffer;
  readonly key: Buffer;
  readonly validTo: Date;
}

/** Certificates that may change while the process runs. Disposing stops reading the files. */
export interface WatchedTls extends AsyncDisposable {
  readonly current: TlsMaterial;
  onChange(changed: (material: TlsMaterial) => void): void;
}

/** The certificate, key or authority cannot be used. */
export class TlsRefused extends Error {
  override readonly name = 'TlsRefused';
}

/** Reads the files once, for a process that ends soon. @throws TlsRefused */
export async function readTlsOnce(files: TlsFiles): Promise<WatchedTls> {
  return { current: await readTls(files), onChange: () => undefined, [Symbol.asyncDispose]: async () => undefined };
}

/** Interval at which the files are read, in milliseconds. Reading also finds changes behind symbolic links. */
const everyMs = 1_000;

/**
 * Reads the certificate, the key and the authority, and repeats this at an interval. Changed files are used when all
 * files are valid together. Until then, the previous files stay in use.
 * @throws TlsRefused when the files cannot be used at the first read
 */
export async function watchTls(files: TlsFiles, log: Logger): Promise<WatchedTls> {
  let current = await readTls(files);
  let complaint = '';
  const listeners: ((material: TlsMaterial) => void)[] = [];
  const look = async (): Promise<void> => {
    try {
      const material = await readTls(files);
      complaint = '';
      if (isSame(material, current)) return;
      current = material;
      for (const listener of listeners) listener(material);
      log.info({ certificate: files.certificate, validTo: material.validTo }, 'changed certificate files are in use');
    } catch (error) {
      if (!(error instanceof TlsRefused) || error.message === complaint) return;
      complaint = error.message;
      log.warn({ error }, 'cannot use the certificate files; the previous certificate stays in use');
    }
  };
  const watching = loop('certificates', everyMs, look, log);
  return {
    get current() {
      return current;
    },
    onChange: (changed) => void listeners.push(changed),
    [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose](),
  };
}

async function readTls({ ca, certificate, key }: TlsFiles): Promise<TlsMaterial> {
  const [authority, chain, secret] = await Promise.all([
    ca === undefined ? undefined : read(ca), read(certificate), read(key),
  ]);
  if (authority !== undefined) parse(ca!, 'certificate', () => new X509Certificate(authority));
  const leaf = parse(certificate, 'certificate', () => new X509Certificate(chain));
  const privateKey = parse(key, 'private key', () => createPrivateKey(secret));
  if (!leaf.checkPrivateKey(privateKey)) throw new TlsRefused(`${key} is not the key of ${certificate}`);
  const now = new Date();
  if (leaf.validToDate < now) throw new TlsRefused(`${certificate} expired at ${leaf.validToDate.toISOString()}`);
  if (leaf.validFromDate > now) {
    throw new TlsRefused(`${certificate} is not valid before ${leaf.validFromDate.toISOString()}`);
  }
  return { ca: authority, certificate: chain, key: secret, validTo: leaf.validToDate };
}

async function read(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw new TlsRefused(`${path} cannot be read`, { cause });
  });
}

function parse<Parsed>(path: string, what: string, parser: () => Parsed): Parsed {
  try {
    return parser();
  } catch (cause) {
    throw new TlsRefused(`${path} contains no usable ${what} (PEM)`, { cause });
  }
}

function isSame(one: TlsMaterial, other: TlsMaterial): boolean {
  const sameAuthority = one.ca === undefined || other.ca === undefined ? one.ca === other.ca : one.ca.equals(other.ca);
  return sameAuthority && one.certificate.equals(other.certificate) && one.key.equals(other.key);
}
