import { type Fault, mostViolations, type Violation } from '@platform/faults';
import { validationFailed } from './faults.ts';

/** Collects the violations of one request, so that one fault reports up to 20 of them. */
export class Violations {
  readonly list: Violation[] = [];

  /** Adds the problem that a check returned. @param problem undefined if the value is valid */
  note(path: string, problem: string | undefined): void {
    if (problem !== undefined && this.list.length < mostViolations) this.list.push({ path, message: problem });
  }

  /** @throws Fault if there is a violation. @param refusal creates the fault; default VALIDATION_FAILED (422) */
  refuse(refusal: (violations: readonly Violation[]) => Fault = validationFailed): void {
    if (this.list.length > 0) throw refusal(this.list);
  }
}
