import type { Database } from '@platform/postgres';
import { LeaseServiceService } from '@platform/proto/leases/v1/leases';
import { implement, type Implementation } from '@platform/rpc';
import type { Logger } from '@platform/service';
import { invalidValue, uuidProblem, Violations } from '@platform/values';
import type { LeaseLine } from './line.ts';
import type { LeaseSessions } from './open-holder.ts';
import { deleteSessions, insertSession, renewSession } from './store.ts';
import { startTeller, type Teller } from './teller.ts';

/** A service whose answers are kept under leases. The schema must have the tables of `sql/leases.sql`. */
export interface Authority extends AsyncDisposable {
  /** Waits until no process can still use answers that earlier transactions made invalid (leases.md L4). */
  readonly told: Teller['told'];
  /** The sessions, for a holder in this process. */
  readonly sessions: LeaseSessions;
  /** The sessions, for holders in other processes. */
  readonly service: Implementation;
}

interface AuthorityOptions {
  readonly database: Database;
  /** Undefined without a bus. Each change then waits until the leases of all sessions have expired. */
  readonly line: LeaseLine | undefined;
  readonly lifetimeMs: number;
  readonly log: Logger;
}

/** Minimum and maximum lifetime, in milliseconds. The setting `leases.lifetime` has the same limits. */
const [shortestMs, longestMs] = [500, 60_000];

export function openAuthority({ database, line, lifetimeMs, log }: AuthorityOptions): Authority {
  const teller = startTeller({ database, line, lifetimeMs, log });
  const sessions = (ownMs: number): LeaseSessions => ({
    register: async (id, replaces, deadline) => {
      await insertSession(database, id, { replaces, lifetimeMs: ownMs }, deadline);
      teller.watch(ownMs);
      return true;
    },
    renew: async (id, deadline) => {
      const isLive = await renewSession(database, id, ownMs, deadline);
      if (isLive) teller.watch(ownMs);
      return isLive;
    },
    end: (id, deadline) => deleteSessions(database, [id], deadline),
  });
  return {
    told: teller.told,
    sessions: sessions(lifetimeMs),
    service: implement(LeaseServiceService, {
      keepSession: async ({ id, isNew, replaces, lifetimeMs: ownMs }, { deadline }) => {
        const violations = new Violations();
        violations.note('id', uuidProblem(id));
        if (replaces !== '') violations.note('replaces', uuidProblem(replaces));
        const isPermitted = ownMs >= shortestMs && ownMs <= longestMs;
        violations.note('lifetimeMs', isPermitted ? undefined : `must be between ${shortestMs} and ${longestMs}`);
        violations.refuse(invalidValue);
        // Without a bus, the holder cannot hear of changes. If the holder had a session, each change would have to wait
        // until the lease of the holder ends.
        if (line === undefined) return { live: false };
        if (!isNew) return { live: await sessions(ownMs).renew(id, deadline) };
        return { live: await sessions(ownMs).register(id, replaces === '' ? undefined : replaces, deadline) };
      },
      endSession: async ({ id }, { deadline }) => {
        const violations = new Violations();
        violations.note('id', uuidProblem(id));
        violations.refuse(invalidValue);
        await sessions(lifetimeMs).end(id, deadline);
        return {};
      },
    }),
    [Symbol.asyncDispose]: teller[Symbol.asyncDispose],
  };
}
