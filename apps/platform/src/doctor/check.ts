/** What `doctor` found out about one thing. */
export interface CheckOutcome {
  /** `machine`, `state`, `settings`, `parts`, `migrations`, `model`, `drift`. */
  readonly area: string;
  readonly name: string;
  readonly ok: boolean;
  /** What was found. */
  readonly found: string;
  /** What to do about it; only with a failure. */
  readonly fix?: string;
}

export function passed(area: string, name: string, found: string): CheckOutcome {
  return { area, name, ok: true, found };
}

/** @param found what is wrong, and why */
export function failed(area: string, name: string, found: string, fix: string): CheckOutcome {
  return { area, name, ok: false, found, fix };
}
