import { hash } from 'node:crypto';
import { Fault } from '@platform/faults';
import { type DescMessage, fieldRules } from '@platform/surface';

/**
 * The fields of a message that the platform observes (`controlplane.field.observed`), by their names: `true`, or those
 * of the message in the field. A message that holds nothing observed has none.
 */
export interface Observed {
  readonly [field: string]: true | Observed;
}

/** The observed fields of a message, at any depth. */
export function observedFields(message: DescMessage, within: readonly DescMessage[] = []): Observed {
  // Nothing of a message within itself is observed but by the fields that were met on the way.
  if (within.includes(message)) return {};
  return Object.fromEntries(message.fields.flatMap((field): [string, true | Observed][] => {
    if (fieldRules(field).observed) return [[field.localName, true]];
    const inner = field.message === undefined ? {} : observedFields(field.message, [...within, message]);
    return Object.keys(inner).length === 0 ? [] : [[field.localName, inner]];
  }));
}

/**
 * The entity tag of an object (RFC 9110 §8.8.3). It differs where what the API shows of the object differs. Where some
 * of that is observed, the tag has two parts: the first one, up to a dot, is the revision, which leaves it out.
 */
export function entityTagOf(object: object, observed: Observed = {}): string {
  const revision = revisionOf(object, observed);
  return Object.keys(observed).length === 0 ? `"${revision}"` : `"${revision}.${revisionOf(object, {})}"`;
}

/**
 * Call it under the lock of the object, with what GET would show of it then.
 * @param ifMatch as the header: `*`, or entity tags. A weak one never matches
 * @param observed of its message, where it has such fields
 * @throws Fault PRECONDITION_FAILED where none of them names the revision of the object
 */
export function refuseOtherRevision(ifMatch: string | undefined, object: object, observed: Observed = {}): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const revision = revisionOf(object, observed);
  if (ifMatch.split(',').some((tag) => /^"([^".]*)(?:\.[^"]*)?"$/.exec(tag.trim())?.[1] === revision)) return;
  throw new Fault('PRECONDITION_FAILED', 'the object has changed meanwhile: read it again before you change it');
}

function revisionOf(object: object, observed: Observed): string {
  const text = JSON.stringify(without(object, observed));
  return hash('sha256', text, 'base64url').slice(0, 27);
}

/** A value without what is observed of it: of a list, of each item. */
function without(value: unknown, observed: Observed): unknown {
  if (Object.keys(observed).length === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => without(item, observed));
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => {
    const rule = observed[name];
    return rule === true ? [] : [[name, rule === undefined ? inner : without(inner, rule)]];
  }));
}
