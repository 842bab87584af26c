import { createHash } from 'node:crypto';
import { Fault } from '@platform/faults';
import { type DescMessage, fieldRules } from '@platform/surface';

/** The fields of a message that are no part of its revision (`controlplane.field.observed`). */
export function observedFields({ fields }: DescMessage): ReadonlySet<string> {
  return new Set(fields.filter((field) => fieldRules(field).observed).map(({ localName }) => localName));
}

/**
 * The revision of an object: an entity tag (RFC 9110 §8.8.3) that differs where what the API shows of it differs.
 * @param observed fields that are no part of it
 */
export function revisionOf(object: object, observed: ReadonlySet<string> = new Set()): string {
  const text = JSON.stringify(object, (key, value: unknown) => (observed.has(key) ? undefined : value));
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

/**
 * Call it under the lock of the object, with what GET would show of it then.
 * @param ifMatch as the header: `*`, or entity tags. A weak one never matches
 * @throws Fault PRECONDITION_FAILED where none of them is the revision of the object
 */
export function refuseOtherRevision(ifMatch: string | undefined, object: object, observed?: ReadonlySet<string>): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const revision = revisionOf(object, observed);
  if (ifMatch.split(',').some((tag) => tag.trim() === revision)) return;
  throw new Fault('PRECONDITION_FAILED', 'it has been changed meanwhile: read it again before you change it');
}
