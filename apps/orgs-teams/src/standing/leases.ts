import {
  deleteSessions, insertSession, openHolder, openLine, renewSession, startTeller, type LeaseSessions,
} from '@platform/leases';
import type { Database } from '@platform/postgres';
import type { Deadline, OpenService } from '@platform/service';
import type { Config } from '../config.ts';
import type { ResolveStanding } from './identity.ts';
import { createKnownStandings, type KnownStanding, type KnownStandingsOptions } from './known-standings.ts';

/** Maximum total size of the `GetStanding` answers that are kept in memory, in bytes. */
const mostBytes = 32 * 1024 * 1024;

/** The leases of this service. The service owns the rows of standings, and also keeps standings in memory. */
interface Leases {
  /**
   * Returns standings, from memory if a lease allows this, otherwise from the database. Undefined if leases are off, or
   * if no bus is configured.
   */
  readonly known: ResolveStanding | undefined;
  /** Returns when no process may still use standings that earlier transactions made invalid (leases.md L4). */
  readonly told: (deadline: Deadline) => Promise<void>;
}

/**
 * Opens the leases of this service. If this replica has no leases, other replicas may still have some. Each change in
 * this replica then waits until those leases have expired.
 */
export function openLeases(
  { stack, log }: OpenService, config: Config,
  { database, read, rateLimiter }: { readonly database: Database } & Omit<KnownStandingsOptions, 'holder'>,
): Leases {
  const { leases, leaseLifetimeMs: lifetimeMs, natsUrl, natsCredentials } = config;
  const login = !leases || natsUrl === undefined || natsCredentials === undefined
    ? undefined : { url: natsUrl.join(','), credentials: natsCredentials.reveal() };
  if (leases && login === undefined) {
    const message = 'no leases without a bus (`nats.url`, `nats.credentials`): '
      + 'each request reads its caller from the database';
    log.info({}, message);
  }
  const line = login && stack.use(openLine(login, 'orgs-teams', log));
  const teller = stack.use(startTeller({ database, line, lifetimeMs, log }));
  if (line === undefined) return { known: undefined, told: teller.told };
  const sessions: LeaseSessions = {
    register: (id, replaces, deadline) => insertSession(database, id, { replaces, lifetimeMs }, deadline),
    renew: (id, deadline) => renewSession(database, id, lifetimeMs, deadline),
    end: (id, deadline) => deleteSessions(database, [id], deadline),
  };
  const holder = stack.use(openHolder<KnownStanding>({
    sessions, line, lifetimeMs, mostBytes, changed: teller.watch, log,
  }));
  return { known: createKnownStandings({ holder, read, rateLimiter }), told: teller.told };
}
