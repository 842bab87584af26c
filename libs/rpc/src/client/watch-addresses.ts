import { isIP } from 'node:net';
import { formatAddress, parseAddress } from '@platform/service';

/** Finds the addresses of a host, like `lookup` of `node:dns/promises` with the option `all`. */
export type Lookup = (host: string) => Promise<readonly FoundAddress[]>;
export interface FoundAddress {
  readonly address: string;
  readonly family: number;
}

interface WatchedAddresses {
  /** `host:port` of each known replica. The replicas of a name are unknown before its first successful lookup. */
  readonly current: readonly string[];
  readonly failure: unknown;
  /** Milliseconds since the last lookup ended; Infinity before the first. Undefined if there is no name to look up. */
  readonly age: number | undefined;
  /** Looks all names up, or waits for a lookup that is already running. Never rejects. */
  lookUp(): Promise<void>;
}

/** Resolves when all lookups that were passed to {@link inTurn} have ended. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Finds the replicas behind the configured addresses.
 * @param configured `host:port` each; the host is an IP address, or a name that may stand for several replicas
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
        // Keep the previous addresses of the name, because these replicas may still answer.
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
 * Runs lookups one after the other. Node has few threads for lookups and files. Lookups without an answer must not
 * occupy all of them.
 */
function inTurn<Result>(ask: () => Promise<Result>): Promise<Result> {
  const asked = turn.then(ask);
  turn = asked.catch(() => undefined);
  return asked;
}

/**
 * Returns the `host:port` of each replica behind a name. A replica may have an IPv4 and an IPv6 address. So the result
 * contains addresses of one family only. If there is one address of each family, returns the name itself with the port.
 */
function targetsOf(host: string, port: number, found: readonly FoundAddress[]): readonly string[] {
  const preferred = found.filter(({ family }) => family === found[0]?.family);
  // A machine with an IPv4 and an IPv6 address may listen on only one of them. With the name, gRPC tries both.
  if (found.length === 2 && preferred.length === 1) return [`${host}:${port}`];
  return preferred.map(({ address }) => formatAddress(address, port));
}
