import { type Fault, mostViolations, type Violation } from '@platform/faults';
import { validationFailed } from './faults.ts';

/** Collects what is wrong with the values of one request, up to 20 things, so that all of it is answered at once. */
export class Violations {
  readonly list: Violation[] = [];

  /** Adds what a rule found. @param problem undefined: nothing */
  note(path: string, problem: string | undefined): void {
    if (problem !== undefined && this.list.length < mostViolations) this.list.push({ path, message: problem });
  }

  /**
   * Refuses the request when anything was noted.
   * @param refusal default: VALIDATION_FAILED (422)
   * @throws Fault
   */
  refuse(refusal: (violations: readonly Violation[]) => Fault = validationFailed): void {
    if (this.list.length > 0) throw refusal(this.list);
  }
}
