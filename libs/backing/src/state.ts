/**
 * The folder a platform keeps between starts, as paths.
 *
 *   <home>/                 .platform in the project's root, or PLATFORM_HOME; 0711 under root (so that PostgreSQL's
 *                           user can pass through to its data), else 0700
 *     postgres/data/        PGDATA; elsewhere when PostgreSQL's user cannot get here: `postgres/location` then names it
 *     nats/                 server.conf, jetstream/, accounts/ (account JWTs of the full resolver)
 *     openfga/              nothing yet: its data lies in PostgreSQL
 *     logs/<name>.log       one per part
 *     processes/<name>.json pid and start time of what runs, to find what a killed launcher left behind
 *     secrets/              0700; one file 0600 per generated secret
 *
 * The launcher adds `run.json` and `platform.yaml`; they are its own.
 */
export interface State {
  readonly home: string;
  readonly postgres: string;
  readonly nats: string;
  readonly openfga: string;
  readonly logs: string;
  readonly processes: string;
  readonly secrets: string;
  /** Where the log of one part goes. */
  logFile(name: string): string;
  /** The secret kept under this name; made with `make` (default: 32 random bytes as hex) the first time, 0600. */
  secret(name: string, make?: () => string | Promise<string>): Promise<string>;
}

/** Opens the folder, making what is missing. @throws BackingFault STATE_UNUSABLE */
export declare function openState(home: string): Promise<State>;

/**
 * Removes the folder and what it keeps elsewhere (PostgreSQL's data under root), after stopping what a killed launcher
 * left running on it. For `--reset` and for tests. The caller makes sure that no launcher uses it.
 */
export declare function removeState(home: string): Promise<void>;
