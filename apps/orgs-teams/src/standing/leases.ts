import { type Authority, openAuthority, openKnownStandings, openLeaseBus } from '@platform/leases';
import type { RateLimiter } from '@platform/limits';
import type { Database } from '@platform/postgres';
import type { OpenService } from '@platform/service';
import type { Config } from '../config.ts';
import type { ResolveStanding } from './identity.ts';

/** The leases of this service. The service owns the rows of standings, and also keeps standings in memory. */
interface Leases extends Pick<Authority, 'told' | 'service'> {
  /**
   * Returns standings, from memory if a lease allows this, otherwise from the database. Undefined if leases are off, or
   * if no bus is configured.
   */
  readonly known: ResolveStanding | undefined;
}

interface LeaseOptions {
  readonly database: Database;
  /** Reads standings from the database. */
  readonly read: ResolveStanding;
  readonly rateLimiter: Pick<RateLimiter, 'account'>;
}

/**
 * Opens the leases of this service. If this replica has no leases, other processes may still have some. Each change in
 * this replica then waits until those leases have expired.
 */
export function openLeases(
  service: OpenService, config: Config, { database, read, rateLimiter }: LeaseOptions,
): Leases {
  const { stack, log } = service;
  const bus = openLeaseBus(service, config);
  const lifetimeMs = config.leaseLifetimeMs;
  const line = bus?.line('orgs-teams');
  const authority = stack.use(openAuthority({ database, line, lifetimeMs, log }));
  const { sessions } = authority;
  const known = line && openKnownStandings(service, { line, lifetimeMs, sessions, read, rateLimiter });
  return { ...authority, known };
}
