import { hash } from 'node:crypto';
import { Fault } from '@platform/faults';
import { type DescMessage, fieldRules } from '@platform/surface';

/**
 * The observed fields of a message (`controlplane.field.observed`), by name. `true`: the field itself is observed.
 * Otherwise: the observed fields of the message in this field.
 */
export interface Observed {
  readonly [field: string]: true | Observed;
}

export function observedFields(message: DescMessage, within: readonly DescMessage[] = []): Observed {
  // A message may contain itself. Its observed fields count only in the outermost message.
  if (within.includes(message)) return {};
  return Object.fromEntries(message.fields.flatMap((field): [string, true | Observed][] => {
    if (fieldRules(field).observed) return [[field.localName, true]];
    const inner = field.message === undefined ? {} : observedFields(field.message, [...within, message]);
    return Object.keys(inner).length === 0 ? [] : [[field.localName, inner]];
  }));
}

/**
 * Returns the entity tag of an object (RFC 9110 §8.8.3). With observed fields, the tag has two parts, separated by a
 * dot. The first part is the revision, which ignores the observed fields.
 */
export function entityTagOf(object: object, observed: Observed = {}): string {
  const revision = revisionOf(object, observed);
  return Object.keys(observed).length === 0 ? `"${revision}"` : `"${revision}.${revisionOf(object, {})}"`;
}

/**
 * Refuses a request whose `If-Match` names another revision. Call it under the lock of the object. `object` must be as
 * GET returns it.
 * @param ifMatch the header: `*`, or entity tags; a weak tag does not match
 * @throws Fault PRECONDITION_FAILED if no tag names the revision of the object
 */
export function refuseOtherRevision(ifMatch: string | undefined, object: object, observed: Observed = {}): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const revision = revisionOf(object, observed);
  if (ifMatch.split(',').some((tag) => /^"([^".]*)(?:\.[^"]*)?"$/.exec(tag.trim())?.[1] === revision)) return;
  const message = 'the object has changed meanwhile, or If-Match is wrong: read the object again before you change it';
  throw new Fault('PRECONDITION_FAILED', message);
}

function revisionOf(object: object, observed: Observed): string {
  return hash('sha256', JSON.stringify(without(object, observed)), 'base64url').slice(0, 27);
}

function without(value: unknown, observed: Observed): unknown {
  if (Object.keys(observed).length === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => without(item, observed));
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => {
    const rule = observed[name];
    return rule === true ? [] : [[name, rule === undefined ? inner : without(inner, rule)]];
  }));
}
