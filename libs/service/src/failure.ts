/** Failures of dependencies. Libraries such as libs/postgres throw them, and libs/faults turns them into faults. */

/** The operation failed, but a retry may succeed: UNAVAILABLE (503). */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  /** `unknown`: the answer was lost, so the operation may have had an effect. */
  readonly outcome: 'none' | 'unknown' = 'none';
}

/** The change conflicts with a concurrent change and had no effect: ABORTED, reason CONFLICT (409). */
export class Conflict extends Error {
  override readonly name: string = 'Conflict';
}
