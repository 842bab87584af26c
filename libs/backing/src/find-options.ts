/** Receives one line of progress for the operator, without a line break. */
export type Report = (line: string) => void;

export interface FindOptions {
  /**
   * Environment variables.
   * - addresses of running servers: PLATFORM_POSTGRES_URL, PLATFORM_NATS_URL, PLATFORM_OPENFGA_URL
   * - secrets for these addresses: PLATFORM_OPENFGA_PRESHARED_KEY, and
   *   PLATFORM_NATS_{CREDENTIALS,SYSTEM_CREDENTIALS,ACCOUNT_SEED,OPERATOR_SEED} or the same names with _FILE
   * - executables: PLATFORM_POSTGRES_BINARIES, PLATFORM_NATS_BINARY, PLATFORM_OPENFGA_BINARY, PATH
   * - cache and builds: HOME, XDG_CACHE_HOME, and the variables of Go
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folder that caches executables of pinned versions. Default `defaultCacheDirectory(environment)`. */
  readonly cacheDirectory?: string;
  readonly report: Report;
  readonly signal?: AbortSignal;
}
