import { BusRefused } from '@platform/bus';
import type { Database } from '@platform/postgres';
import {
  backoffPause, type Deadline, deadlineIn, loop, type Logger, type Metrics, pause, remaining,
} from '@platform/service';
import { createFlights } from '../projection/flights.ts';
import { forgetOtherLayouts, readRevisions, readUntold } from '../store/bus-accounts.ts';
import { accountLayout } from './account-jwt.ts';
import type { BusOperator } from './bus-operator.ts';
import { offerToOrganizations, removeForgotten, tellServers, verifyTold } from './tell.ts';

/** The accounts of organizations at the message bus: the servers are told what the rows say, until they know. */
export interface BusAccounts extends AsyncDisposable {
  /** False where the settings of the bus are not there. */
  readonly configured: boolean;
  /**
   * Tells the servers of an organization's account now, and answers whether they know all that was committed before
   * the call. What they do not know when it answers false, they are told later.
   */
  tell(organizationId: number, deadline: Deadline): Promise<boolean>;
}

export interface BusAccountsOptions {
  readonly database: Database;
  readonly operator: BusOperator | undefined;
  readonly log: Logger;
  readonly metrics: Metrics;
}

const passMs = 4_000;
const loopMs = 1_000;
const organizationsAtOnce = 100;
/** The servers are asked what they know of late changes, and now and then of everything. */
const verifyLateMs = 30_000;
const verifyAllMs = 300_000;

/** Starts the loop of this replica. */
export function startBusAccounts({ database, operator, log, metrics }: BusAccountsOptions): BusAccounts {
  if (operator === undefined) {
    log.info({}, 'no message bus is configured: nobody is admitted to it');
    return {
      configured: false,
      tell: async (organizationId, deadline) => {
        const account = await readRevisions(database, organizationId, deadline);
        return account === undefined || account.told >= account.revision;
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const parts = { database, operator };
  let reachable: boolean | undefined;
  let [lateAt, allAt] = [-Infinity, -Infinity];
  metrics.observed(
    { name: 'bus_up', help: 'Whether the message bus took what it was last told: 1 or 0; NaN before the first time.' },
    () => (reachable === undefined ? NaN : Number(reachable)),
  );

  const attempt = createFlights(async (organizationId) => {
    await tellServers(parts, organizationId, deadlineIn(passMs));
    return true;
  });

  async function tell(organizationId: number, deadline: Deadline): Promise<boolean> {
    const wanted = (await readRevisions(database, organizationId, deadline))?.revision ?? 0;
    for (let number = 1; ; number += 1) {
      const account = await readRevisions(database, organizationId, deadline);
      if (account === undefined || account.told >= wanted) return true;
      // Not the first time: another replica is at it.
      if (number > 1) await pause(Math.min(backoffPause(number, { first: 20, most: 200 }), remaining(deadline)));
      if (remaining(deadline) === 0 || !(await attempt(organizationId, deadline))) return false;
    }
  }

  /** What the servers must have before organizations are told of, and whether they still have what they were told. */
  async function verify(): Promise<void> {
    const now = performance.now();
    if (now - lateAt < verifyLateMs) return;
    lateAt = now;
    const deadline = deadlineIn(verifyLateMs);
    if (allAt === -Infinity) await forgetOtherLayouts(database, accountLayout(operator!), deadline);
    await offerToOrganizations(parts, deadline);
    const all = now - allAt >= verifyAllMs;
    await verifyTold(parts, !all, deadline);
    if (all) allAt = now;
  }

  /** A refusal concerns one thing and holds up no other; anything else means that the bus is away. */
  async function unlessRefused(work: Promise<void>, what: object): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof BusRefused)) throw error;
      log.error({ ...what, error }, 'the message bus refuses what it is told; it is tried again');
    }
  }

  async function pass(signal: AbortSignal): Promise<void> {
    const organizations = await readUntold(database, organizationsAtOnce, deadlineIn(passMs));
    let waiting = organizations.length;
    try {
      await unlessRefused(verify(), {});
      for (const organizationId of organizations) {
        if (signal.aborted) return;
        await unlessRefused(tellServers(parts, organizationId, deadlineIn(passMs)), { organizationId });
        waiting -= 1;
      }
      await unlessRefused(removeForgotten(parts, deadlineIn(passMs)), {});
      if (reachable === false) log.info({}, 'the message bus can be told again');
      reachable = true;
    } catch (error) {
      // Once: it is tried each second until it works.
      if (reachable !== false) log.warn({ waiting, error }, 'the message bus could not be told; it is tried again');
      reachable = false;
      // What it lost meanwhile is found out as soon as it answers.
      [lateAt, allAt] = [-Infinity, Math.min(allAt, performance.now() - verifyAllMs)];
    }
  }

  const running = loop('bus-accounts', loopMs, pass, log);
  return { configured: true, tell, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}
