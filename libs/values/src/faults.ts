import { Fault, type Violation } from '@platform/faults';

/** The fault for missing or wrong fields: 422 with their paths. @param violations at least one */
export function validationFailed(violations: readonly Violation[]): Fault {
  return new Fault('VALIDATION_FAILED', summaryOf(violations), { violations });
}

/** The fault for values that have the right type but are not accepted: 400. @param violations at least one */
export function invalidValue(violations: readonly Violation[]): Fault {
  return new Fault('INVALID_VALUE', summaryOf(violations), { violations });
}

/** The fault for a path or query parameter with an invalid value: 400. */
export function invalidParameter(path: string, message: string): Fault {
  return new Fault('INVALID_PARAMETER', `${path} ${message}`, { violations: [{ path, message }] });
}

/** The fault for a name that an object may not have: 400. @param problem follows the words "the name" */
export function invalidName(problem: string): Fault {
  return new Fault('INVALID_NAME', `the name ${problem}`, { violations: [{ path: 'name', message: problem }] });
}

/** The object already exists: usually 409. @param message must not name an object that the caller may not see */
export function alreadyExists(message: string, cause?: unknown): Fault {
  return new Fault('ALREADY_EXISTS', message, { cause });
}

/** The fault for a name that another object has: usually 409. */
export function nameTaken(name: string, cause?: unknown): Fault {
  return alreadyExists(`the name ${name} is taken, choose another one`, cause);
}

/** The request conflicts with the state of an object, or with another request: usually 409. */
export function conflict(message: string, metadata: Readonly<Record<string, string>> = {}): Fault {
  return new Fault('CONFLICT', message, { metadata });
}

function summaryOf(violations: readonly Violation[]): string {
  const { path, message } = violations[0]!;
  return `${path} ${message}${violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''}`;
}
