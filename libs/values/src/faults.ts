import { Fault, type Violation } from '@platform/faults';

/** Values that are never valid: 422 with their paths. */
export function validationFailed(violations: readonly Violation[]): Fault {
  return new Fault('VALIDATION_FAILED', summaryOf(violations), { violations });
}

/** Values of the right type that this request may not contain: 400 with their paths. */
export function invalidValue(violations: readonly Violation[]): Fault {
  return new Fault('INVALID_VALUE', summaryOf(violations), { violations });
}

/** A path or query parameter that is not acceptable: 400. */
export function invalidParameter(path: string, message: string): Fault {
  return new Fault('INVALID_PARAMETER', `${path} ${message}`, { violations: [{ path, message }] });
}

/** A name that an object may not have: 400. */
export function invalidName(problem: string): Fault {
  return new Fault('INVALID_NAME', `the name ${problem}`, { violations: [{ path: 'name', message: problem }] });
}

/** The object already exists: usually 409. @param message must not name an object that the caller may not see */
export function alreadyExists(message: string, cause?: unknown): Fault {
  return new Fault('ALREADY_EXISTS', message, { cause });
}

/** Another object has this name, ignoring case: usually 409. */
export function nameTaken(name: string, cause?: unknown): Fault {
  return alreadyExists(`the name ${name} is taken, choose another one`, cause);
}

/** The request conflicts with the state of an object, or with another request: 409. */
export function conflict(message: string, metadata: Readonly<Record<string, string>> = {}): Fault {
  return new Fault('CONFLICT', message, { metadata });
}

function summaryOf(violations: readonly Violation[]): string {
  const { path, message } = violations[0]!;
  return `${path} ${message}${violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''}`;
}
