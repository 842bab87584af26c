import { randomUUID } from 'node:crypto';
import type { RateLimiter } from '@platform/limits';
import { LeaseServiceService } from '@platform/proto/leases/v1/leases';
import {
  connect, type ConnectOptions, type Guard, type guardPicks, type GuardSources, openGuard, type Peers, remoteSources,
  type RpcConfig,
} from '@platform/rpc';
import { type Config, type Deadline, type OpenService, optional } from '@platform/service';
import { createKnownStandings, type KnownStanding, type ReadStanding } from './known-standings.ts';
import { connectLeaseBus, type LeaseBus, type LeaseLine } from './line.ts';
import { type LeaseSessions, openHolder } from './open-holder.ts';

export const leasePicks = {
  leases: 'leases.enabled',
  leaseLifetimeMs: 'leases.lifetime',
  natsUrl: optional('nats.url'),
  natsCredentials: optional('nats.credentials'),
} as const;

type LeaseConfig = Config<typeof leasePicks>;

/** Maximum total size of the standings that a process keeps in memory, in bytes. */
const mostBytes = 32 * 1024 * 1024;

/** Connects to the bus for leases. Returns undefined if leases are off, or if no bus is configured. */
export function openLeaseBus({ stack, log }: OpenService, config: LeaseConfig): LeaseBus | undefined {
  const { leases, natsUrl, natsCredentials } = config;
  if (!leases) return undefined;
  if (natsUrl !== undefined && natsCredentials !== undefined) {
    return stack.use(connectLeaseBus({ url: natsUrl.join(','), credentials: natsCredentials.reveal() }, log));
  }
  log.info({}, '`nats.url` or `nats.credentials` is not set, so nothing about callers is kept in memory');
  return undefined;
}

/** Returns functions that register, renew and end sessions at another service, by calls of its `LeaseService`. */
export function remoteSessions(
  { stack }: OpenService, { leaseLifetimeMs: lifetimeMs }: LeaseConfig, authority: ConnectOptions,
): LeaseSessions {
  const client = stack.use(connect(LeaseServiceService, authority));
  const call = (deadline: Deadline) => ({ deadline, requestId: randomUUID() });
  return {
    register: async (id, replaces = '', deadline) => {
      const { live } = await client.keepSession({ id, isNew: true, replaces, lifetimeMs }, call(deadline));
      return live;
    },
    renew: async (id, deadline) => {
      const { live } = await client.keepSession({ id, isNew: false, replaces: '', lifetimeMs }, call(deadline));
      return live;
    },
    end: async (id, deadline) => {
      await client.endSession({ id }, call(deadline));
    },
  };
}

interface StandingsOptions {
  readonly line: LeaseLine;
  readonly lifetimeMs: number;
  readonly sessions: LeaseSessions;
  readonly read: ReadStanding;
  readonly rateLimiter: Pick<RateLimiter, 'account'>;
}

/** Keeps standings in memory while this service is open ({@link createKnownStandings}). */
export function openKnownStandings(
  { stack, stopping, log }: OpenService, { line, lifetimeMs, sessions, read, rateLimiter }: StandingsOptions,
): ReadStanding {
  const holder = stack.use(openHolder<KnownStanding>({ sessions, line, lifetimeMs, mostBytes, stopping, log }));
  return createKnownStandings({ holder, read, rateLimiter });
}

interface GuardOptions {
  /** See {@link openLeaseBus}. */
  readonly bus: LeaseBus | undefined;
  readonly rateLimiter: Pick<RateLimiter, 'account'>;
  readonly objects: GuardSources['objects'];
  readonly knownObjects?: GuardSources['knownObjects'];
}

/**
 * Opens a guard that asks orgs-teams who the caller is, and authz for the relations of the caller. With a bus, the
 * guard keeps in memory who callers are, for calls that change nothing.
 */
export function openRemoteGuard(
  service: OpenService, config: RpcConfig & LeaseConfig & Config<typeof guardPicks>,
  peers: Peers, { bus, rateLimiter, ...objects }: GuardOptions,
): Guard {
  const { orgsTeams, authz, leaseLifetimeMs: lifetimeMs } = config;
  const sources = service.stack.use(remoteSources({ ...peers, orgsTeams, authz, ...objects }));
  if (bus === undefined) return openGuard(service, config, sources);
  const known = openKnownStandings(service, {
    line: bus.line('orgs-teams'), lifetimeMs, read: sources.standing, rateLimiter,
    sessions: remoteSessions(service, config, { ...peers, name: 'orgs-teams', addresses: orgsTeams }),
  });
  return openGuard(service, config, { ...sources, known });
}
