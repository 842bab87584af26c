import { isIP } from 'node:net';
import { formatAddress, parseAddress } from '@platform/service';

/** Finds the addresses of a host, like `lookup` of `node:dns/promises` with the option `all`. */
export type Lookup = (host: string) => Promise<readonly FoundAddress[]>;
export interface FoundAddress {
  readonly address: string;
  readonly family: number;
}

/** The addresses behind configured ones, of which some are names. */
export interface WatchedAddresses {
  /** `host:port` of each replica. Names have none before their first successful lookup. */
  readonly current: readonly string[];
  /** Why a name could not be looked up the last time. */
  readonly failure: unknown;
  /** Milliseconds since the last lookup has ended; undefined if there is no name to look up. */
  readonly age: number | undefined;
  /** Looks all names up, or waits for the lookup that runs. Does not reject. */
  lookUp(): Promise<void>;
}

/** The end of the last lookup of a known name, in the whole process. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * @param configured `host:port`; an IP address is one replica, a name as many as it has addresses
 * @param changed called after `current` may have changed
 */
export function watchAddresses(configured: readonly string[], lookup: Lookup, changed: () => void): WatchedAddresses {
  const parsed = configured.map((address) => ({ address, ...parseAddress(address) }));
  const names = parsed.filter(({ host }) => isIP(host) === 0);
  const found = new Map<string, readonly string[]>();
  for (const { address, host } of parsed) if (isIP(host) !== 0) found.set(address, [address]);
  let failure: unknown;
  let endedAt = -Infinity;
  let running: Promise<void> | undefined;

  async function lookUpAll(): Promise<void> {
    let problem: unknown;
    await Promise.all(names.map(async ({ address, host, port }) => {
      const ask = (): ReturnType<Lookup> => lookup(host);
      try {
        found.set(address, targetsOf(host, port, await (found.has(address) ? inTurn(ask) : ask())));
      } catch (error) {
        // A name without an address now: its last replicas may still answer.
        problem = error;
      }
    }));
    failure = problem;
    endedAt = performance.now();
    running = undefined;
    changed();
  }

  return {
    get current() {
      return [...new Set([...found.values()].flat())];
    },
    get failure() {
      return failure;
    },
    get age() {
      return names.length === 0 ? undefined : performance.now() - endedAt;
    },
    lookUp: () => (running ??= lookUpAll()),
  };
}

/**
 * Waits until other lookups have ended. Node looks names up on its four threads, which also read files: a DNS server
 * that hangs must not take all of them.
 */
function inTurn<Result>(ask: () => Promise<Result>): Promise<Result> {
  const asked = turn.then(ask);
  turn = asked.catch(() => undefined);
  return asked;
}

/** The pods behind a name. A pod may have an address of each family: one is enough. */
function targetsOf(host: string, port: number, found: readonly FoundAddress[]): readonly string[] {
  const preferred = found.filter(({ family }) => family === found[0]?.family);
  // One machine with an address of each family may listen on only one of them: gRPC tries both.
  if (found.length === 2 && preferred.length === 1) return [`${host}:${port}`];
  return preferred.map(({ address }) => formatAddress(address, port));
}
