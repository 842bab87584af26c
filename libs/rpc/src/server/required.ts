import { type DescField, type DescMessage, fieldRules } from '@platform/surface';
import { Fault, mostViolations, type Violation } from '@platform/faults';

type Message = Readonly<Record<string, unknown>>;
type Find = (message: Message, path: string, found: Violation[]) => void;

const finders = new WeakMap<DescMessage, Find>();

/** @throws Fault VALIDATION_FAILED with the JSON paths of up to 20 missing required fields, at any depth */
export function requireFields(type: DescMessage, message: Message): void {
  const violations: Violation[] = [];
  finderOf(type)(message, '', violations);
  if (violations.length > 0) throw new Fault('VALIDATION_FAILED', 'required fields are missing', { violations });
}

function finderOf(type: DescMessage): Find {
  const known = finders.get(type);
  if (known) return known;
  // Register the finder before the fields of the type are compiled, because a message may contain itself.
  let steps: Find[] = [];
  const finder: Find = (message, path, found) => {
    for (const step of steps) {
      if (found.length >= mostViolations) return;
      step(message, path, found);
    }
  };
  finders.set(type, finder);
  steps = type.fields.map(stepOf).filter((step) => step !== undefined);
  return finder;
}

function stepOf(field: DescField): Find | undefined {
  const { required } = fieldRules(field);
  const inner = field.fieldKind === 'scalar' || field.fieldKind === 'enum' ? undefined : innerFind(field);
  if (!required && !inner) return undefined;
  return (message, path, found) => {
    const value = message[field.localName];
    const place = path === '' ? field.jsonName : `${path}.${field.jsonName}`;
    if (value === undefined || value === null) {
      if (required) found.push({ path: place, message: 'is required' });
    } else {
      inner?.(value as Message, place, found);
    }
  };
}

/** Returns a check of the messages in a field; undefined if they have no required fields at any depth. */
function innerFind(field: DescField): Find | undefined {
  const { message } = field;
  if (!message || message.file.name.startsWith('google/') || !hasRequired(message, new Set())) return undefined;
  const find = finderOf(message);
  if (field.fieldKind === 'list') {
    return (value, path, found) =>
      (value as unknown as Message[]).forEach((item, index) => find(item, `${path}[${index}]`, found));
  }
  if (field.fieldKind === 'map') {
    return (value, path, found) =>
      Object.entries(value).forEach(([key, item]) => find(item as Message, `${path}.${key}`, found));
  }
  return fieldRules(field).flatten ? stepsIntoWrapper(message, find) : find;
}

/**
 * Returns a check of a flattened wrapper. Its violations have the paths of the JSON, such as `permissions[0]` instead
 * of `permissions.items[0]`.
 */
function stepsIntoWrapper(wrapper: DescMessage, find: Find): Find {
  const prefix = wrapper.fields[0]?.jsonName ?? '';
  return (value, path, found) => {
    const inner: Violation[] = [];
    find(value, '', inner);
    for (const violation of inner) found.push({ ...violation, path: path + violation.path.slice(prefix.length) });
  };
}

function hasRequired(type: DescMessage, seen: Set<DescMessage>): boolean {
  if (seen.has(type)) return false;
  seen.add(type);
  return type.fields.some((field) =>
    fieldRules(field).required || (field.message !== undefined && hasRequired(field.message, seen)));
}
