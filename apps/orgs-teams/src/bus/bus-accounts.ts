import { type BusConnection, BusRefused, connectBus } from '@platform/bus';
import type { Database } from '@platform/postgres';
import {
  backoffPause, coalesce, type Deadline, deadlineIn, loop, type OpenService, pause, remaining, seldom, within,
} from '@platform/service';
import { accountLayout } from './account-jwt.ts';
import type { BusOperator } from './bus-operator.ts';
import { forgetOtherLayouts, readRevisions, readUntold } from './store.ts';
import {
  atBus, BusAway, forgetUnknown, offerToOrganizations, removeForgotten, tellServers, verifyTold,
} from './tell.ts';

/** The accounts of organizations at the message bus. The push of a changed account is repeated until it succeeds. */
export interface BusAccounts extends AsyncDisposable {
  /** False when settings of the bus are missing. */
  readonly configured: boolean;
  /**
   * Pushes an organization's account to the servers now. Returns true if the servers have all changes from before the
   * call. Otherwise, a loop repeats the push.
   */
  tell(organizationId: number, deadline: Deadline): Promise<boolean>;
  /**
   * Finds accounts of this platform that the servers have but the database does not. Queues these accounts for deletion
   * at the servers. Returns the number of these accounts.
   * @throws BusRefused, BusAway
   */
  forgetUnknown(deadline: Deadline): Promise<number>;
}

const passMs = 4_000;
const connectMs = 2_000;
/** Pause of the loop while the bus fails or this process gets no notifications from PostgreSQL, in milliseconds. */
const loopMs = 1_000;
/**
 * Pause of the loop in milliseconds if the bus works, this process gets notifications, and no work is left. A
 * notification shortens this pause.
 */
const idleMs = 15_000;
const organizationsAtOnce = 100;
/** Interval between checks whether the servers still have the recently pushed accounts, in milliseconds. */
const verifyLateMs = 30_000;
/** Interval between checks whether the servers still have all pushed accounts, in milliseconds. */
const verifyAllMs = 300_000;

export function startBusAccounts(
  { database, operator, log, metrics, readiness }: Pick<OpenService, 'log' | 'metrics' | 'readiness'> & {
    readonly database: Database;
    readonly operator: BusOperator | undefined;
  },
): BusAccounts {
  if (operator === undefined) {
    log.info({}, 'settings of the message bus are missing: organizations get no accounts at the bus');
    return {
      configured: false,
      tell: async (organizationId, deadline) => {
        const account = await readRevisions(database, organizationId, deadline);
        return account === undefined || account.told >= account.revision;
      },
      forgetUnknown: async () => 0,
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const parts = { database, operator };
  let reachable: boolean | undefined;
  let trouble: unknown = new Error('the message bus has not been contacted yet');
  const said = seldom();
  let [lateAt, allAt] = [-Infinity, -Infinity];
  let layoutsCompared = false;
  let watch: BusConnection | undefined;
  metrics.observed(
    { name: 'bus_up', help: 'Whether the last check of the message bus succeeded: 1 or 0; NaN before any check.' },
    () => (reachable === undefined ? NaN : Number(reachable)),
  );
  readiness.mentions('NATS', async () => {
    if (reachable !== true) throw trouble;
  });

  const tellNow = coalesce((organizationId: number) => tellServers(parts, organizationId, deadlineIn(passMs)));
  const attempt = (organizationId: number, deadline: Deadline): Promise<boolean> =>
    within(deadline, tellNow(organizationId), 'the message bus').then(() => true, () => false);

  async function tell(organizationId: number, deadline: Deadline): Promise<boolean> {
    const wanted = (await readRevisions(database, organizationId, deadline))?.revision ?? 0;
    for (let number = 1; ; number += 1) {
      const account = await readRevisions(database, organizationId, deadline);
      if (account === undefined || account.told >= wanted) return true;
      // Pause before the second and later attempts, because another replica may be pushing the account.
      if (number > 1) await pause(Math.min(backoffPause(number, { first: 20, most: 200 }), remaining(deadline)));
      if (remaining(deadline) === 0 || !(await attempt(organizationId, deadline))) return false;
    }
  }

  /**
   * Keeps a connection open, because the end of the connection may mean that a server restarts. A restart may lose
   * accounts. After the end of the connection, the loop checks all accounts again.
   */
  async function watchServer(): Promise<void> {
    if (watch !== undefined) return;
    const connection = await atBus(connectBus(operator!.login, connectMs));
    watch = connection;
    void connection.closed.then((error) => {
      if (watch !== connection) return;
      watch = undefined;
      running.wake();
      noteAway(error ?? new Error('the connection to the message bus was lost'));
    });
  }

  function noteAway(error: unknown, waiting?: number): void {
    // Do not log each failure, because the loop retries every second.
    if (reachable !== false || trouble instanceof BusRefused) {
      log.warn({ waiting, error }, 'cannot reach the message bus; retrying');
    }
    [reachable, trouble] = [false, error];
    [lateAt, allAt] = [-Infinity, -Infinity];
  }

  /**
   * Adds missing exports to the platform's own account. Marks an account for another push if the servers do not have
   * its latest state. Does nothing if a check succeeded recently.
   */
  async function verify(): Promise<void> {
    const now = performance.now();
    if (now - lateAt < verifyLateMs) return;
    const all = now - allAt >= verifyAllMs;
    // Set the times before the check, because {@link noteAway} may reset the times during the check.
    [lateAt, allAt] = [now, all ? now : allAt];
    const deadline = deadlineIn(verifyLateMs);
    try {
      if (!layoutsCompared) await forgetOtherLayouts(database, accountLayout(operator!), deadline);
      layoutsCompared = true;
      await atBus(offerToOrganizations(parts, deadline));
      await verifyTold(parts, !all, deadline);
    } catch (error) {
      [lateAt, allAt] = [-Infinity, all ? -Infinity : allAt];
      throw error;
    }
  }

  /** Returns a refusal of the bus instead of throwing it, because one refused account must not delay other accounts. */
  async function refusalOf(work: Promise<void>, what: object = {}): Promise<BusRefused | undefined> {
    try {
      await work;
      return undefined;
    } catch (error) {
      if (!(error instanceof BusRefused)) throw error;
      // Remove account keys from the message, so that refusals of several accounts with one cause share one log line.
      const leftOut = said(error.message.replaceAll(/\bA[A-Z2-7]{55}\b/g, ''));
      if (leftOut !== undefined) log.error({ ...what, leftOut, error }, 'the message bus refuses updates; retrying');
      return error;
    }
  }

  /** @returns the pause until the next pass, in milliseconds */
  async function pass(signal: AbortSignal): Promise<number> {
    const organizations = await readUntold(database, organizationsAtOnce, deadlineIn(passMs));
    let waiting = organizations.length;
    let isMore = organizations.length === organizationsAtOnce;
    try {
      await watchServer();
      const refusals = [await refusalOf(verify())];
      for (const organizationId of organizations) {
        if (signal.aborted) return loopMs;
        refusals.push(await refusalOf(tellServers(parts, organizationId, deadlineIn(passMs)), { organizationId }));
        waiting -= 1;
      }
      refusals.push(await refusalOf(removeForgotten(parts, deadlineIn(passMs)).then((more) => { isMore ||= more; })));
      const refusal = refusals.find((one) => one !== undefined);
      if (refusal !== undefined) trouble = refusal;
      else if (reachable === false) log.info({}, 'the message bus accepts updates again');
      reachable = refusal === undefined;
      if (reachable && isMore) return 0;
      return reachable && database.notices.areHeard ? idleMs : loopMs;
    } catch (error) {
      if (!(error instanceof BusAway)) throw error;
      noteAway(error.cause, waiting);
      return loopMs;
    }
  }

  const running = loop('bus-accounts', loopMs, pass, log);
  // Wake the loop after a pause, because the call that made the change usually pushes the account itself.
  database.notices.on('bus', () => running.wake(loopMs));
  return {
    configured: true,
    tell,
    forgetUnknown: async (deadline) => {
      const found = await forgetUnknown(parts, deadline);
      running.wake();
      return found;
    },
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      const last = watch;
      watch = undefined;
      await last?.[Symbol.asyncDispose]();
    },
  };
}
