import { randomUUID } from 'node:crypto';
import { Fault, translate } from '@platform/faults';
import type { Fact, FactServiceService, FollowResponse } from '@platform/proto/facts/v1/facts';
import type { Database, Transaction } from '@platform/postgres';
import type { OutgoingContext, RpcClient } from '@platform/rpc';
import { type Deadline, deadlineIn, loop, type OpenService, pause, seldom } from '@platform/service';
import {
  leaveSource, moveOn, moveOnUnchanged, noteKeys, type Progress, readBehind, readProgress, SourceLost, takeSource,
  takeUnseen,
} from './followed-source.ts';
import type { FactKind, FactKinds } from './kinds.ts';
import { isBehind, parsePosition } from './read-facts.ts';

export interface FollowedFact<Kind extends FactKind> {
  readonly key: string;
  /** Undefined if the row does not exist any more. */
  readonly value: FactKinds[Kind] | undefined;
}

/**
 * Applies at most 500 facts to a projection, each with a different key. The function must write in `transaction` only.
 * It may receive the same fact again. So it must set values, and must not add to them.
 */
export type Apply<Kind extends FactKind> = (
  transaction: Transaction, facts: readonly FollowedFact<Kind>[],
) => Promise<void>;

export interface Following {
  /** Name of the publishing service, as in the list `services` (@platform/service). */
  readonly from: string;
  /** The result of `connect(FactServiceService, …)` for this publisher. */
  readonly client: Pick<RpcClient<typeof FactServiceService>, 'follow'>;
  /**
   * Functions that apply facts, by kind. If a response has several kinds, the functions are called in the order of this
   * object.
   */
  readonly kinds: { readonly [Kind in FactKind]?: Apply<Kind> };
}

export interface Followed {
  /**
   * Waits until this service has applied all facts that it follows and that the service `from` committed before the
   * call. Returns at once if this service follows no facts of `from`.
   * @throws if the deadline passes, or if `from` or the database is unavailable
   */
  catchUp(from: string, context: OutgoingContext): Promise<void>;
}

/** Interval at which a replica checks whether it can follow a source, in milliseconds. */
const tryMs = 1_000;
/** Maximum duration of a stream of facts, in milliseconds. */
const streamMs = 300_000;
const statementMs = 5_000;
const applyMs = 20_000;
const sweptAtOnce = 500;
/** Interval at which {@link catchUp} reads the progress, in milliseconds. */
const lookMs = 50;
/** The readiness report mentions a projection that is more than this many seconds behind. */
const behindSeconds = 60;

type ApplyAny = (transaction: Transaction, facts: readonly { key: string; value: unknown }[]) => Promise<void>;

/**
 * Keeps projections of other services' rows up to date while this service runs. Only one replica at a time follows a
 * publisher. The replica applies each response and stores the new position in one transaction. After an outage, it
 * continues at the stored position. If that is impossible, for example after a restore of the publisher, it reads all
 * facts again. It then removes rows that the publisher no longer has.
 *
 * The schema must have the tables of `sql/follow.sql`. The service stays ready while a projection is behind.
 */
export function followFacts(
  { stack, log, metrics, readiness }: OpenService, database: Database, sources: readonly Following[],
): Followed {
  const behind = metrics.gauge({
    name: 'facts_behind_seconds', labels: ['source'],
    help: 'Seconds since this service last had all facts of the source, or began to follow the source; NaN if unknown.',
  });
  metrics.whenAsked(async (deadline) => {
    const rows = await readBehind(database, deadline).catch(() => []);
    for (const { from } of sources) {
      behind.set({ source: from }, rows.find(({ source }) => source === from)?.seconds ?? NaN);
    }
  });
  for (const following of sources) {
    const { from } = following;
    readiness.mentions(`facts of ${from}`, async (deadline) => {
      const row = (await readBehind(database, deadline)).find(({ source }) => source === from);
      if (row !== undefined && row.seconds <= behindSeconds) return;
      throw new Error(row === undefined ? 'never followed' : `${Math.round(row.seconds)} s behind`);
    });
    const said = seldom();
    const holder = randomUUID();
    stack.use(loop(`facts of ${from}`, tryMs, async (stopping) => {
      try {
        await follow(database, following, holder, stopping);
      } catch (error) {
        if (!isOutage(error)) throw error;
        const leftOut = said(from);
        if (leftOut !== undefined) log.warn({ from, leftOut, error }, 'cannot follow facts; retrying');
      } finally {
        if (stopping.aborted) await leaveSource(database, from, holder, deadlineIn(statementMs)).catch(() => undefined);
      }
    }, log));
  }
  return {
    catchUp: async (source, context) => {
      const following = sources.find(({ from }) => from === source);
      if (following !== undefined) await catchUp(database, following, context);
    },
  };
}

async function catchUp(database: Database, following: Following, context: OutgoingContext): Promise<void> {
  const progress = () => readProgress(database, following.from, context.deadline);
  const end = await presentEnd(following, await progress(), context);
  for (;;) {
    const at = await progress();
    const position = at?.epoch === end.epoch ? parsePosition(at.position) : undefined;
    if (position !== undefined && !isBehind(position, parsePosition(end.position)!)) return;
    await pause(lookMs, context.deadline.signal);
  }
}

/** Returns the position of the newest fact that the source has committed; `progress` if no fact is newer. */
async function presentEnd(
  { client, from, kinds: applied }: Following, progress: Progress | undefined, context: OutgoingContext,
): Promise<Progress> {
  let end = progress ?? { epoch: '', position: '' };
  const responses = client.follow({ kinds: Object.keys(applied), ...end }, context);
  for await (const { epoch, position, facts, fromStart, upToDate } of responses) {
    if (fromStart || facts.length > 0) end = { epoch, position };
    if (upToDate) return end;
  }
  throw new Fault('UNAVAILABLE', `the data of the service ${from} cannot be read now`);
}

/**
 * Whether an error is usually temporary: a service or the database is unavailable or too slow, or another replica
 * follows the source.
 */
export function isOutage(error: unknown): boolean {
  return error instanceof SourceLost || ['UNAVAILABLE', 'DEADLINE_EXCEEDED'].includes(translate(error).reason);
}

async function follow(
  database: Database, { from: source, client, kinds: applied }: Following, holder: string, stopping: AbortSignal,
): Promise<void> {
  const kinds = Object.keys(applied);
  let from = await takeSource(database, { source, holder, kinds }, deadlineIn(statementMs, stopping));
  if (from === undefined) return;
  const deadline = deadlineIn(streamMs, stopping);
  const context = { deadline, requestId: randomUUID(), cancelled: stopping };
  for await (const response of client.follow({ kinds, ...from }, context)) {
    from = await applyResponse(database, applied, { source, holder, from }, response);
  }
}

/** Applies one response and advances the position of the source, in one transaction. */
async function applyResponse(
  database: Database, applied: Following['kinds'], at: { source: string; holder: string; from: Progress },
  { epoch, position, facts, fromStart, upToDate }: FollowResponse,
): Promise<Progress> {
  const to = { epoch, position };
  const deadline: Deadline = deadlineIn(applyMs);
  if (facts.length === 0 && !fromStart && await moveOnUnchanged(database, { ...at, to, upToDate }, deadline)) return to;
  return database.transact(async (transaction) => {
    const { reading, ends } = await moveOn(transaction, { ...at, to, fromStart, upToDate });
    await applyFacts(transaction, applied, facts);
    await noteKeys(transaction, at.source, reading, facts);
    if (ends) await sweep(transaction, applied, at.source, reading);
    return to;
  }, { deadline });
}

async function applyFacts(transaction: Transaction, applied: Following['kinds'], facts: readonly Fact[]) {
  const byKind = Map.groupBy(facts, ({ kind }) => kind);
  for (const [kind, apply] of Object.entries(applied) as [string, ApplyAny][]) {
    const own = byKind.get(kind) ?? [];
    const parsed = own.map(({ key, value }) => ({ key, value: value === '' ? undefined : JSON.parse(value) }));
    if (own.length > 0) await apply(transaction, parsed);
  }
}

/** Removes rows whose keys did not occur while all facts were read again. */
async function sweep(transaction: Transaction, applied: Following['kinds'], source: string, reading: number) {
  for (;;) {
    const unseen = await takeUnseen(transaction, source, reading, sweptAtOnce);
    await applyFacts(transaction, applied, unseen.map((fact) => ({ ...fact, value: '' })));
    if (unseen.length < sweptAtOnce) return;
  }
}
