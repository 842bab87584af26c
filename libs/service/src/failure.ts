/**
 * Failures of what a service depends on, as its doors (libs/postgres, libs/bus) throw them and libs/rpc answers them.
 * They are no faults of the caller's request, and none of our own code.
 */

/** What was asked cannot be done now and may be tried again: UNAVAILABLE (503). */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  /** `none`: nothing was done. `unknown`: it was lost on the way whether something was. */
  readonly outcome: 'none' | 'unknown' = 'none';
}

/** The change lost against another at the same time, and nothing of it was done: ABORTED, reason CONFLICT (409). */
export class Conflict extends Error {
  override readonly name: string = 'Conflict';
}
