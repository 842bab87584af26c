/** One request, as bytes on the wire. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly json?: unknown;
}

/** A read whose answer is always the same, byte for byte. */
export interface Read extends Request {
  readonly answer: string;
}

/** A team that does not exist at first: it is repeatedly made, changed, joined, left and deleted. */
export interface Slot {
  readonly token: string;
  readonly organization: string;
  readonly guest: string;
  /** Name of the team, unique in its organization. */
  readonly team: string;
}

/** Shares of the kinds of requests. */
export interface Mix {
  /** 70 %: organizations, teams and members. */
  readonly reads: readonly Read[];
  /** 20 %: allowed permissions. */
  readonly permissions: readonly Read[];
  /** 10 %: writes, one after the other in each slot. */
  readonly slots: readonly Slot[];
}

/** The work of the generator: requests over a number of connections for a duration. */
export interface Task {
  readonly seed: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** Requests per second, however long answers take; undefined: each request follows the previous answer. */
  readonly perSecond?: number;
}

export type Order = { readonly baseUrl: string; readonly mix: Mix } | Task;

/** The result of a task. */
export interface Outcome {
  readonly answered: number;
  readonly perSecond: number;
  /** Milliseconds, from the scheduled time of the request. */
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  /** Number of unexpected answers, with their content for the first ones, and requests without an answer. */
  readonly errors: number;
  readonly examples: readonly string[];
}
