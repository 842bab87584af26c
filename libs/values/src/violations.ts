import { type Fault, mostViolations, type Violation } from '@platform/faults';
import { validationFailed } from './faults.ts';

/** Collects up to 20 violations in the values of one request, for one answer. */
export class Violations {
  readonly list: Violation[] = [];

  /** Adds the result of a rule. @param problem undefined: no violation */
  note(path: string, problem: string | undefined): void {
    if (problem !== undefined && this.list.length < mostViolations) this.list.push({ path, message: problem });
  }

  /** @throws Fault if any violation was added, by default VALIDATION_FAILED (422) */
  refuse(refusal: (violations: readonly Violation[]) => Fault = validationFailed): void {
    if (this.list.length > 0) throw refusal(this.list);
  }
}
