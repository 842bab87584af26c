import type { Database, Queryable, Transaction } from '@platform/postgres';
import { Fault, notFound } from '@platform/faults';
import {
  ConfigError, type Deadline, environmentName, type Logger, type Sealed, type Sealer, Secret,
} from '@platform/service';
import type { AuditNote, WriteContext } from '@platform/writes';
import {
  type AuthorityPem, AuthorityRefused, makeAuthority, readAuthority, type SigningAuthority, signingAuthority,
  type TrustedAuthority, trustedAuthority,
} from './authority.ts';
import type { Change } from '../change.ts';
import type { KeyType } from './key-type.ts';
import {
  type AuthorityRow, insertAuthority, lockAuthorities, lockSigning, readAuthorities, readSigning, readTrusted,
  removeAuthority, sealIdentity, setKey, setSigning,
} from './store.ts';

/** The certificate authorities for licences (open-points 6.1, operator.md §3), shared by all replicas. */
export interface Authorities {
  /**
   * Returns the signing authority that this process read last. Another replica may have replaced it since. Record a
   * licence only if {@link stillSigns} returns true.
   * @throws Fault ISSUER_UNAVAILABLE when the signing authority is missing, has expired or cannot be used
   */
  signing(deadline: Deadline): Promise<SigningAuthority>;
  /** Locks the signing authority until the transaction ends. Returns whether all fingerprints are of this authority. */
  stillSigns(transaction: Transaction, fingerprints: readonly string[]): Promise<boolean>;
  trusted(queryable: Queryable, deadline: Deadline): Promise<TrustedAuthority[]>;
  list(queryable: Queryable): Promise<readonly (TrustedAuthority & { readonly signs: boolean })[]>;
  /**
   * Trusts the authority in `pem` and returns its fingerprint. Without `pem`, creates an authority. If the authority is
   * trusted already but its key is not stored, stores the given key.
   * @throws Fault INVALID_VALUE for a text that is not a valid authority, TOO_MANY_ITEMS for a third authority
   */
  add(pem: string | undefined, context: WriteContext): Promise<string>;
  /**
   * Makes a trusted authority the signing authority.
   * @throws Fault NOT_FOUND for an authority that is not trusted, INVALID_VALUE for an authority that has expired or
   *   has no usable key
   */
  use(fingerprint: string, context: WriteContext): Promise<void>;
  /**
   * Ends the trust in an authority.
   * @throws Fault NOT_FOUND for an authority that is not trusted, INVALID_VALUE for the signing authority
   */
  remove(fingerprint: string, context: WriteContext): Promise<void>;
}

interface AuthoritiesOptions {
  readonly change: Change;
  readonly sealer: Sealer;
  /** `license.keyType`, for authorities that this service creates. */
  readonly keyType: KeyType;
  /** `license.ca` */
  readonly given: Secret | undefined;
  readonly log: Logger;
}

/**
 * Opens the authorities. At the first start, the authority in `license.ca` becomes the signing authority. Without
 * `license.ca`, the service creates the signing authority. At a later start, the authority in `license.ca` becomes the
 * signing authority only if the database does not contain it. So a restart does not undo changes by
 * `platform admin license-ca`.
 * @throws ConfigError for a `license.ca` that cannot be used or would be a third trusted authority
 */
export async function openAuthorities(database: Database, options: AuthoritiesOptions): Promise<Authorities> {
  const { change, sealer, keyType, log } = options;
  const opened = new Map<string, Promise<SigningAuthority>>();
  let latest: SigningAuthority | undefined;

  const sealed = (fingerprint: string, key: string | undefined): Sealed | undefined =>
    key === undefined ? undefined : sealer.seal(new Secret(key), sealIdentity(fingerprint));

  const open = async ({ fingerprint, certificate, sealedBy, sealedKey }: AuthorityRow): Promise<SigningAuthority> => {
    const key = sealer.open({ keyId: sealedBy!, bytes: sealedKey! }, sealIdentity(fingerprint)).reveal();
    return signingAuthority({ certificate, key });
  };

  await adoptFirst(database, options, sealed);

  return {
    signing: async (deadline) => {
      if (latest !== undefined && latest.notAfter > new Date()) return latest;
      const row = await readSigning(database, deadline);
      if (row === undefined) throw issuerUnavailable();
      try {
        if (!opened.has(row.fingerprint)) opened.set(row.fingerprint, open(row));
        const authority = await opened.get(row.fingerprint)!;
        if (authority.notAfter > new Date()) return latest = authority;
        log.error({ fingerprint: row.fingerprint }, 'the authority that signs licences has expired');
      } catch (error) {
        opened.delete(row.fingerprint);
        log.error({ error, fingerprint: row.fingerprint }, 'the authority that signs licences cannot be used');
      }
      throw issuerUnavailable();
    },
    stillSigns: async (transaction, fingerprints) => {
      const row = await lockSigning(transaction);
      if (latest?.fingerprint !== row?.fingerprint) latest = undefined;
      return fingerprints.every((fingerprint) => fingerprint === row?.fingerprint);
    },
    trusted: async (queryable, deadline) => (await readTrusted(queryable, deadline)).map(trustedAuthority),
    list: async (queryable) => (await readAuthorities(queryable))
      .filter(({ trusted }) => trusted)
      .map(({ certificate, signs }) => ({ ...trustedAuthority(certificate), signs })),
    add: async (pem, context) => {
      const authority = pem === undefined ? await makeAuthority(keyType) : givenAuthority(pem);
      const { fingerprint } = trustedAuthority(authority.certificate);
      await change(context, async (work) => {
        await lockAuthorities(work);
        const known = (await readAuthorities(work)).find((row) => row.fingerprint === fingerprint);
        const key = sealed(fingerprint, authority.key);
        if (known?.trusted === true) {
          if (known.sealedKey !== null || key === undefined) return;
          await setKey(work, fingerprint, key);
        } else if (!(await insertAuthority(work, fingerprint, authority.certificate, key))) {
          throw new Fault('TOO_MANY_ITEMS', 'two authorities are trusted already: remove an authority first');
        }
        work.audit(noteOf('add', fingerprint));
      });
      return fingerprint;
    },
    use: (fingerprint, context) => change(context, async (work) => {
      const row = await lockTrusted(work, fingerprint);
      if (row.sealedKey === null) throw invalid('the authority is stored without its key, so it cannot sign');
      const { notAfter } = await open(row).catch((cause: unknown) => {
        const isRefused = cause instanceof AuthorityRefused;
        throw invalid(isRefused ? cause.message : 'the key of the authority cannot be decrypted');
      });
      if (notAfter <= new Date()) throw invalid('the authority has expired');
      if (row.signs) return;
      await setSigning(work, fingerprint);
      work.audit(noteOf('use', fingerprint));
    }),
    remove: (fingerprint, context) => change(context, async (work) => {
      const row = await lockTrusted(work, fingerprint);
      if (row.signs) throw invalid('the authority signs licences: make another authority sign first');
      await removeAuthority(work, fingerprint);
      work.audit(noteOf('remove', fingerprint));
    }),
  };
}

async function adoptFirst(
  database: Database,
  { given, keyType }: AuthoritiesOptions,
  sealed: (fingerprint: string, key: string | undefined) => Sealed | undefined,
): Promise<void> {
  const authority = given === undefined ? undefined : await configuredAuthority(given);
  const wanted = authority && trustedAuthority(authority.certificate).fingerprint;
  const isDone = (rows: readonly AuthorityRow[]): boolean => rows.some(({ signs }) => signs)
    && (wanted === undefined || rows.some((row) => row.fingerprint === wanted));
  if (isDone(await readAuthorities(database))) return;
  const { certificate, key } = authority ?? await makeAuthority(keyType);
  const { fingerprint } = trustedAuthority(certificate);
  await database.transact(async (transaction) => {
    await lockAuthorities(transaction);
    // Another replica may have changed the authorities before this transaction locked them.
    if (isDone(await readAuthorities(transaction))) return;
    if (!(await insertAuthority(transaction, fingerprint, certificate, sealed(fingerprint, key)))) {
      throw wrongSetting('holds a third authority',
        'a trusted authority; before you add a new authority, remove one with `platform admin license-ca remove`');
    }
    await setSigning(transaction, fingerprint);
  });
}

async function configuredAuthority(given: Secret): Promise<AuthorityPem> {
  try {
    const authority = readAuthority(given.reveal());
    await signingAuthority(authority);
    return authority;
  } catch (error) {
    if (!(error instanceof AuthorityRefused)) throw error;
    throw wrongSetting(`cannot be used: ${error.message}`, 'one certificate and its PKCS#8 key (PEM)');
  }
}

function wrongSetting(found: string, accepts: string): ConfigError {
  return new ConfigError([{ key: 'license.ca', where: environmentName('license.ca'), found, accepts }]);
}

function givenAuthority(pem: string): AuthorityPem {
  try {
    return readAuthority(pem);
  } catch (error) {
    throw error instanceof AuthorityRefused ? invalid(error.message) : error;
  }
}

async function lockTrusted(transaction: Transaction, fingerprint: string): Promise<AuthorityRow> {
  await lockAuthorities(transaction);
  const row = (await readAuthorities(transaction)).find((one) => one.fingerprint === fingerprint && one.trusted);
  if (row === undefined) throw notFound('no authority with this fingerprint is trusted');
  return row;
}

function noteOf(what: 'add' | 'use' | 'remove', fingerprint: string): AuditNote {
  return { action: `license_authority.${what}`, object: `license_authority:${fingerprint}` };
}

function invalid(message: string): Fault {
  return new Fault('INVALID_VALUE', message);
}

function issuerUnavailable(): Fault {
  return new Fault('ISSUER_UNAVAILABLE', 'licences cannot be signed now');
}
