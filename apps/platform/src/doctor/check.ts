import { DeadlineExceeded, deadlineIn, within } from '@platform/service/basics';
import { CommandFault, explain } from '../command-fault.ts';

export interface CheckOutcome {
  /** What is checked, such as `machine`, `settings` or `drift`. */
  readonly area: string;
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  /** What to do about a failure; absent if the check passed. */
  readonly fix?: string;
}

export function passed(area: string, name: string, found: string): CheckOutcome {
  return { area, name, ok: true, found };
}

export function failed(area: string, name: string, found: string, fix: string): CheckOutcome {
  return { area, name, ok: false, found, fix };
}

export interface Examination {
  readonly area: string;
  /** Name of the failed check that {@link examine} returns if `check` throws or takes too long. */
  readonly name: string;
  readonly patienceMs: number;
  readonly fix: string;
  readonly check: () => Promise<readonly CheckOutcome[]>;
}

/** Runs the checks. An exception or a timeout becomes a failed check. */
export async function examine({ area, name, patienceMs, fix, check }: Examination): Promise<readonly CheckOutcome[]> {
  try {
    return await within(deadlineIn(patienceMs), check(), name);
  } catch (error) {
    if (error instanceof CommandFault) return [failed(area, name, error.message, error.cure)];
    const found = error instanceof DeadlineExceeded ? `no answer within ${patienceMs / 1_000} s` : explain(error);
    return [failed(area, name, found, fix)];
  }
}
