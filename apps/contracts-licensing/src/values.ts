import { Fault } from '@platform/faults';
import { controlCharacterProblem, invalidParameter, invalidValue, lengthProblem, uuidProblem } from '@platform/values';

/** Converts a time to Unix seconds, rounded down. */
export function secondsOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}

/** Rounds a time (milliseconds since 1970) down to a whole second. */
export function wholeSecond(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / 1000) * 1000);
}

/** @throws Fault EMPTY_LIST (400) */
export function refuseEmpty(path: string, items: readonly unknown[]): void {
  const message = 'must not be empty';
  if (items.length === 0) throw new Fault('EMPTY_LIST', `${path} ${message}`, { violations: [{ path, message }] });
}

/** Returns a UUID in lower case. @throws Fault INVALID_VALUE unless the text is a UUID */
export function uuidFrom(path: string, text: string): string {
  const message = uuidProblem(text);
  if (message !== undefined) throw invalidValue([{ path, message }]);
  return text.toLowerCase();
}

/** Returns a UUID in lower case. @throws Fault INVALID_PARAMETER unless the text is a UUID */
export function uuidParameter(path: string, text: string): string {
  const message = uuidProblem(text);
  if (message !== undefined) throw invalidParameter(path, message);
  return text.toLowerCase();
}

/**
 * Returns the trimmed text.
 * @throws Fault INVALID_VALUE if the trimmed text is too short or too long, or if the text has control characters
 */
export function nameFrom(path: string, text: string, { least, most }: { least: number; most: number }): string {
  const name = text.trim();
  const message = controlCharacterProblem(text) ?? lengthProblem(name, { least, most });
  if (message !== undefined) throw invalidValue([{ path, message }]);
  return name;
}
