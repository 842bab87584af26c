/** Receives one line of progress for the operator, without a line break. */
export type Report = (line: string) => void;

export interface FindOptions {
  /**
   * Reads PLATFORM_POSTGRES_URL, PLATFORM_NATS_URL and PLATFORM_OPENFGA_URL. For NATS, also reads
   * PLATFORM_NATS_{CREDENTIALS,SYSTEM_CREDENTIALS,ACCOUNT_SEED,OPERATOR_SEED}, or the same names with _FILE. For
   * OpenFGA, also reads PLATFORM_OPENFGA_PRESHARED_KEY. Finds executables with PLATFORM_POSTGRES_BINARIES,
   * PLATFORM_NATS_BINARY, PLATFORM_OPENFGA_BINARY and PATH. Builds use HOME, XDG_CACHE_HOME and the variables of Go.
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder for pinned builds, shared by all clones of a user. Default `defaultCacheDirectory(environment)`. */
  readonly cacheDirectory?: string;
  readonly report: Report;
  readonly signal?: AbortSignal;
}
