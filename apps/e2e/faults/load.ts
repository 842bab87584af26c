import { pause } from '@platform/service';
import { closedLoop, type HttpAnswer, quantile, until } from '@platform/testing';

/** One kind of call that clients make again and again. */
export interface Kind {
  readonly name: string;
  /** Whether a request may be sent twice: the platform itself retries it on another replica when one has gone. */
  readonly repeatable: boolean;
  /** Makes one call. Answers what is wrong with an answer of the platform; a refusal for now (503) is not for it. */
  call(): Promise<{ readonly answer: HttpAnswer; readonly wrong: string | undefined }>;
}

/** What came of the calls that were made in one phase. */
export interface Tally {
  right: number;
  /** Milliseconds of each call with a right answer, from when it was due. */
  readonly milliseconds: number[];
  /** Answered 503 with `Retry-After`, by kind. */
  readonly unavailable: Map<string, number>;
  /** What the first of them said. */
  firstUnavailable?: string;
  /** Calls without an answer: the connection was lost. */
  readonly lost: string[];
  /** What no client may ever see. */
  readonly wrong: string[];
}

/** Clients that make calls, each one at a time. */
export interface Load extends AsyncDisposable {
  /** Counts the calls made from now on separately, and answers what came of those of the phase before, all answered. */
  phase(): Promise<Tally>;
  /** Waits until each kind has been answered rightly several times in a row, by calls made after this. */
  steady(within: number): Promise<void>;
  /** Waits until this many calls made after this were answered, with success or not. */
  answered(count: number, within: number): Promise<void>;
  /** Waits until this many calls were refused for now (503) after this. */
  refused(count: number, within: number): Promise<void>;
  /** Ends the load; answers what came of the last phase. */
  stop(): Promise<Tally>;
}

/** Right answers in a row that mean a kind of call works. */
const inARow = 3;

/** How long a client pauses after each answer where a share is proved: a test machine runs other tests beside it. */
const pauseOfSharesMs = 50;

export interface LoadOptions {
  readonly clients: number;
  /** Of the proof: the whole one has clients without a pause. */
  readonly share: number;
  /** Calls begin at this rate while fewer than {@link clients} are under way; otherwise each client calls on and on. */
  readonly perSecond?: number;
}

export function startLoad(kinds: readonly Kind[], { clients, share, perSecond }: LoadOptions): Load {
  let phase = newPhase();
  let stopping = false;
  let answers = 0;
  let refused = 0;
  let watched = new Map<string, number>();
  let turn = 0;

  /** @param due when the call was to begin */
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
  /** When the next call is due. Calls missed while all clients wait for answers are not made up for. */
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

/** How many calls were refused for now. */
export function refusals({ unavailable }: Tally): number {
  return [...unavailable.values()].reduce((sum, count) => sum + count, 0);
}

/** What a share (0 to 1) of the right answers did not exceed, in milliseconds. */
export function latency({ milliseconds }: Tally, share: number): number {
  return quantile(milliseconds.toSorted((one, other) => one - other), share);
}

/** A limit of a figure, in milliseconds: exact where it is proved whole, three times as long on a busy test machine. */
export function backWithin(milliseconds: number, share: number): number {
  return share === 1 ? milliseconds : 3 * milliseconds;
}
