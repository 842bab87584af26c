import { pause } from '@platform/service';
import { closedLoop, type HttpAnswer, quantile, until } from '@platform/testing';

/** One kind of call that clients make repeatedly. */
export interface Kind {
  readonly name: string;
  /** Whether a request may be sent twice. The platform itself retries such a request on another replica. */
  readonly repeatable: boolean;
  /** Makes one call. `wrong` describes a wrong answer; it is not used for a 503. */
  call(): Promise<{ readonly answer: HttpAnswer; readonly wrong: string | undefined }>;
}

/** Results of the calls of one phase. */
export interface Tally {
  right: number;
  /** Milliseconds of each call with a right answer, measured from its scheduled time. */
  readonly milliseconds: number[];
  /** Number of calls answered 503 with `Retry-After`, by kind. */
  readonly unavailable: Map<string, number>;
  /** The first of these answers. */
  firstUnavailable?: string;
  /** Calls without an answer: the connection was lost. */
  readonly lost: string[];
  /** Answers that no client may ever see. */
  readonly wrong: string[];
}

/** Clients that make calls, each one at a time. */
export interface Load extends AsyncDisposable {
  /** Starts a new phase; returns the results of the previous one, once all its calls are answered. */
  phase(): Promise<Tally>;
  /** Waits until each kind has several right answers in a row, to calls made from now on. */
  steady(within: number): Promise<void>;
  /** Waits until this many calls made from now on are answered, successfully or not. */
  answered(count: number, within: number): Promise<void>;
  /** Waits until this many calls made from now on are answered 503. */
  refused(count: number, within: number): Promise<void>;
  /** Ends the load; returns the results of the last phase. */
  stop(): Promise<Tally>;
}

/** Number of right answers in a row after which a kind of call counts as working. */
const inARow = 3;

/** Pause of a client after each answer if only a share is proved: a test machine runs other tests at the same time. */
const pauseOfSharesMs = 50;

export interface LoadOptions {
  readonly clients: number;
  /** Share of the proof; clients pause unless it is 1. */
  readonly share: number;
  /**
   * Rate at which calls begin while fewer than {@link clients} are in progress; without it each client calls without
   * pause.
   */
  readonly perSecond?: number;
}

export function startLoad(kinds: readonly Kind[], { clients, share, perSecond }: LoadOptions): Load {
  let phase = newPhase();
  let stopping = false;
  let answers = 0;
  let refused = 0;
  let watched = new Map<string, number>();
  let turn = 0;

  /** @param due scheduled time of the call */
  async function one(kind: Kind, due: number): Promise<void> {
    const { tally } = phase;
    const mine = phase;
    const watch = watched;
    mine.underWay += 1;
    let isRight = false;
    try {
      const { answer, wrong } = await kind.call();
      if (answer.status === 503) {
        refused += 1;
        tally.unavailable.set(kind.name, (tally.unavailable.get(kind.name) ?? 0) + 1);
        tally.firstUnavailable ??= `${kind.name}: ${answer.text.slice(0, 200)}`;
        if (!(Number(answer.header('retry-after')) >= 1)) tally.wrong.push(`${kind.name}: 503 without Retry-After`);
      } else if (wrong === undefined) {
        tally.right += 1;
        tally.milliseconds.push(performance.now() - due);
        isRight = true;
      } else {
        tally.wrong.push(`${kind.name}: ${wrong} (${answer.status} ${answer.text.slice(0, 200)})`);
      }
    } catch (error) {
      tally.lost.push(`${kind.name}: ${String(error)}`);
    }
    answers += 1;
    watch.set(kind.name, isRight ? (watch.get(kind.name) ?? 0) + 1 : 0);
    mine.underWay -= 1;
    if (mine.underWay === 0) mine.emptied();
  }

  let next = performance.now();
  /** Scheduled time of the next call. Calls missed while all clients waited for answers are not made up for. */
  const dueNext = (): number => {
    const now = performance.now();
    if (perSecond === undefined) return now;
    next = Math.max(now, next + 1_000 / perSecond);
    return next;
  };
  const working = closedLoop(clients, () => !stopping, async () => {
    const due = dueNext();
    const wait = due - performance.now();
    if (wait > 0) await pause(wait);
    if (stopping) return;
    turn += 1;
    await one(kinds[turn % kinds.length]!, due);
    if (perSecond === undefined && share < 1) await pause(pauseOfSharesMs);
  });

  async function stop(): Promise<Tally> {
    stopping = true;
    await working;
    return phase.tally;
  }

  return {
    phase: async () => {
      const before = phase;
      phase = newPhase();
      if (before.underWay > 0) await before.empty;
      return before.tally;
    },
    steady: async (within) => {
      watched = new Map();
      const works = ({ name }: Kind) => (watched.get(name) ?? 0) >= inARow;
      await until(() => kinds.every(works), { within, what: 'every kind of call is answered rightly' });
    },
    answered: async (count, within) => {
      const enough = answers + count;
      await until(() => answers >= enough, { within, what: `${count} further calls are answered` });
    },
    refused: async (count, within) => {
      const enough = refused + count;
      await until(() => refused >= enough, { within, what: `${count} calls are refused` });
    },
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

function newPhase() {
  const { promise: empty, resolve: emptied } = Promise.withResolvers<void>();
  const tally: Tally = { right: 0, milliseconds: [], unavailable: new Map(), lost: [], wrong: [] };
  return { tally, underWay: 0, empty, emptied };
}

/** Number of calls answered 503. */
export function refusals({ unavailable }: Tally): number {
  return [...unavailable.values()].reduce((sum, count) => sum + count, 0);
}

/** The quantile of the times of right answers, in milliseconds. @param share 0 to 1 */
export function latency({ milliseconds }: Tally, share: number): number {
  return quantile(milliseconds.toSorted((one, other) => one - other), share);
}

/**
 * A time limit in milliseconds: exact for a whole proof, three times as long for a share, which runs on a busy machine.
 */
export function backWithin(milliseconds: number, share: number): number {
  return share === 1 ? milliseconds : 3 * milliseconds;
}
