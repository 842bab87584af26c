import { randomUUID } from 'node:crypto';
import { type Database, sql } from '@platform/postgres';
import type { OutgoingContext } from '@platform/rpc';
import type { Logger, Metrics } from '@platform/service';
import { backoffPause, coalesce, type Deadline, deadlineIn, loop, pause, remaining, within } from '@platform/service';
import { type Engine, isEngineTrouble, isLostRace } from './engine.ts';
import { createFailures, type FailingUnit } from './failures.ts';
import { settleOnce } from './settle.ts';
import { type PendingUnit, readWaiting, type Waiting } from './waiting.ts';

/**
 * Settles an organization: writes the tuples of its pending changes to the engine. Returns true when nothing is pending
 * any more. Returns false after a failure or at the deadline, and does not throw. The loop tries again later.
 */
export type Settle = (organizationId: number, deadline: Deadline) => Promise<boolean>;

/** Keeps the tuples in the engine in line with the rows. Disposing aborts the current writes and stops the loop. */
export interface Projection extends AsyncDisposable {
  readonly settle: Settle;
  /** Returns the failing units of the organizations that this process repeatedly could not settle. */
  failing(): readonly FailingUnit[];
}

/** Time limit for settling one organization, in milliseconds. The loop settles the remaining changes later. */
const passMs = 5_000;
/**
 * Pause of the loop after an organization could not be settled, in milliseconds. A failed `settle` shortens a longer
 * pause to this time.
 */
const loopMs = 1_000;
/** Pause of the loop while no changes are pending, in milliseconds. */
const idleMs = 5_000;
const passesAtOnce = 4;
const unitsLookedAt = 1_000;

interface ProjectionParts {
  readonly database: Database;
  readonly engine: Engine;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Starts the loop that settles the organizations with pending changes (authorization.md, projection). */
export function startProjection({ database, engine, log, metrics }: ProjectionParts): Projection {
  const failures = createFailures(log);
  const stopping = new AbortController();
  metrics.observed(
    {
      name: 'projection_failing_units',
      help: 'Parts of organizations, such as teams, whose changes repeatedly could not be written to the authorization '
        + 'engine.',
    },
    () => failures.list().length,
  );

  /**
   * Repeats steps S1 to S5 (authorization.md) until nothing is pending in the organization. Returns false after a
   * failure, or when the process stops.
   */
  async function pass(organizationId: number): Promise<boolean> {
    const requestId = `settle-${randomUUID()}`;
    const call: OutgoingContext = { deadline: deadlineIn(passMs, stopping.signal), requestId, log };
    let next: Waiting | undefined;
    let lostRaces = 0;
    for (;;) {
      let pending: readonly PendingUnit[] = [];
      try {
        const waiting = next ?? await readWaiting(database, organizationId, call);
        next = undefined;
        pending = waiting.units;
        if (pending.length === 0) {
          failures.settled(organizationId);
          return true;
        }
        // After a conflict, pass no fence, so that `settleOnce` reads the current fence from the engine.
        const fence = lostRaces === 0 ? waiting.fence : undefined;
        next = await settleOnce(database, engine, organizationId, { units: pending, fence }, call);
        lostRaces = 0;
      } catch (error) {
        if (isLostRace(error) && remaining(call.deadline) > 0 && !stopping.signal.aborted) {
          lostRaces += 1;
          // Another process has probably written in the meantime. Pause, so that the processes do not conflict again.
          const wait = backoffPause(lostRaces, { first: 10, most: 1_000 });
          await pause(Math.min(wait, remaining(call.deadline)), stopping.signal);
          continue;
        }
        if (stopping.signal.aborted) return false;
        // While the engine or PostgreSQL is unavailable, do not write the units one by one.
        const troubled = isEngineTrouble(error) || pending.length === 0;
        const failing = troubled ? pending : await settleEach(organizationId, pending, call);
        if (!troubled && failing.length === 0) continue;
        failures.failed(organizationId, failing.map(({ unit }) => unit), error);
        return false;
      }
    }
  }

  /** Writes one unit at a time, so that a failed unit does not block the others. Returns the units that failed. */
  async function settleEach(
    organizationId: number, pending: readonly PendingUnit[], call: OutgoingContext,
  ): Promise<readonly PendingUnit[]> {
    const failing: PendingUnit[] = [];
    for (const one of pending) {
      try {
        await settleOnce(database, engine, organizationId, { units: [one], fence: undefined }, call);
      } catch {
        failing.push(one);
      }
    }
    return failing;
  }

  const settleNow = coalesce(pass);
  const settle: Settle = async (organizationId, deadline) => {
    const isSettled = await within(deadline, settleNow(organizationId), 'settle').catch(() => false);
    if (!isSettled) running.wake(loopMs);
    return isSettled;
  };
  const readOldest = () => database.query(sql<{ id: number }>`
    select organization_id as "id"
      from (select organization_id, id from projection_pending order by id limit ${unitsLookedAt}) oldest
     group by organization_id
     order by min(oldest.id)`);
  const running = loop('projection', loopMs, async () => {
    // Do not pause as long as there are organizations to settle and none of them fails.
    for (let isSettling = true; isSettling && !stopping.signal.aborted;) {
      const oldest = await readOldest();
      if (oldest.length === 0) return idleMs;
      const waiting = oldest.map(({ id }) => id).filter((id) => !failures.resting(id));
      isSettling = waiting.length > 0;
      await Promise.all(Array.from({ length: passesAtOnce }, async () => {
        for (let id = waiting.shift(); id !== undefined && !stopping.signal.aborted; id = waiting.shift()) {
          if (!await settle(id, deadlineIn(passMs))) isSettling = false;
        }
      }));
    }
    return loopMs;
  }, log);

  return {
    settle,
    failing: failures.list,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running[Symbol.asyncDispose]();
    },
  };
}
