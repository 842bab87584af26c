import type { ServerBinary } from './find-binary.ts';
import type { NatsAddress } from './nats.ts';
import type { OpenfgaAddress } from './openfga.ts';
import type { PostgresAddress } from './postgres.ts';

/** Receives one line of progress for the operator, without a line break. */
export type Report = (line: string) => void;

export interface FindOptions {
  /**
   * Read: PLATFORM_POSTGRES_URL; PLATFORM_NATS_URL with PLATFORM_NATS_{CREDENTIALS,SYSTEM_CREDENTIALS,ACCOUNT_SEED,
   * OPERATOR_SEED}_FILE; PLATFORM_OPENFGA_URL with PLATFORM_OPENFGA_PRESHARED_KEY; PATH, HOME, XDG_CACHE_HOME and what
   * Go reads.
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where pinned builds are kept, for all clones of a user. Default `defaultCacheDirectory(environment)`. */
  readonly cacheDirectory?: string;
  readonly report: Report;
  readonly signal?: AbortSignal;
}

export interface FoundServers {
  readonly postgres: PostgresAddress | ServerBinary;
  readonly nats: NatsAddress | ServerBinary;
  readonly openfga: OpenfgaAddress | ServerBinary;
}

/** `$XDG_CACHE_HOME/platform`, else `~/.cache/platform`. */
export declare function defaultCacheDirectory(environment: FindOptions['environment']): string;

/**
 * Finds each server: an address in the environment, else a binary on the machine of the pinned major and minor, else the
 * pinned build, made where it is missing (OpenFGA takes minutes the first time; progress is reported).
 * An address is not called here: see `probePostgres`, `probeNats`, `probeOpenfga`.
 * @throws BackingFault ADDRESS_INVALID, SERVER_MISSING, BUILD_FAILED
 */
export declare function findServers(options: FindOptions): Promise<FoundServers>;
