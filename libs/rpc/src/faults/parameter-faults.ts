import type { AccessRule, DescField, Method } from '@platform/surface';
import { fieldRules, fieldsOfAccess, integerRange, parseTemplate, ScalarType } from '@platform/surface';
import { Fault } from '@platform/faults';

/** Faults in the parameters of a call. Open-points 1.5 defines the steps in which parameters are checked. */
interface ParameterFaults {
  /**
   * Step 3: an invalid path parameter, an invalid query parameter that the access rule needs, or a text that is too
   * long.
   */
  readonly access?: Fault | undefined;
  /** Step 6: any other invalid query parameter. */
  readonly other?: Fault | undefined;
}

type Message = Readonly<Record<string, unknown>>;

/** The integer fields that select a page. Zero means "not given". Each method checks these fields itself. */
const ofPages: ReadonlySet<string> = new Set(['page', 'limit', 'per_page']);

/** Maximum length of a text parameter, in characters. REST has the same limit for a whole URL (open-points 1.9). */
const longestText = 8 * 1024;

/**
 * Compiles the checks of a method's path and query parameters. The gateway checks integers itself (open-points 1.7).
 * So the checks of integers matter only for direct callers.
 */
export function parameterFaults({ http, input, access, rest }: Method): (message: Message) => ParameterFaults {
  if (http === undefined) return () => ({});
  const segments = parseTemplate(http.template).segments;
  const inPath = new Set(segments.flatMap((segment) => (segment.kind === 'fixed' ? [] : [segment.field])));
  const needed = fieldsOfAccess(access);
  const scalars = input.fields.filter(({ fieldKind }) => fieldKind === 'scalar');
  const ids = scalars.filter((field) => fieldRules(field).pattern !== ''
    || (integerRange(field) !== undefined && !(rest.paged && ofPages.has(field.name))));
  const ofQuery = http.body === '*' ? [] : ids.filter(({ name }) => name !== http.body && !inPath.has(name));
  const isNeeded = ({ localName }: DescField) => needed.has(localName);
  const ofAccess = [...ids.filter(({ name }) => inPath.has(name)), ...ofQuery.filter(isNeeded)].map(ruleOf);
  const others = ofQuery.filter((field) => !isNeeded(field)).map(ruleOf);
  const texts = scalars.filter(({ scalar, name, localName }) => scalar === ScalarType.STRING && (
    inPath.has(name) || needed.has(localName) || (http.body !== '*' && name !== http.body)
  ));
  if (ids.length === 0 && texts.length === 0) return () => ({});
  return (message) => ({
    access: tooLong(texts, message) ?? firstFault(ofAccess, message), other: firstFault(others, message),
  });
}

export function unknownAction({ check }: AccessRule, request: Message): Fault | undefined {
  if (check?.actionField === undefined) return undefined;
  const name = String(request[check.actionField] ?? '');
  if (check.actions.has(name)) return undefined;
  return new Fault('INVALID_PARAMETER', `unknown action ${JSON.stringify(name)}`, {
    violations: [{ path: check.actionField, message: `must be one of ${[...check.actions.keys()].join(', ')}` }],
  });
}

function tooLong(texts: readonly DescField[], message: Message): Fault | undefined {
  const long = texts.find(({ localName }) => String(message[localName] ?? '').length > longestText);
  return long && new Fault('URI_TOO_LONG', `the parameter ${long.jsonName} may have up to ${longestText} characters`);
}

function firstFault(rules: readonly Rule[], message: Message): Fault | undefined {
  const broken = rules.find(({ field, isBroken }) => isBroken(message[field.localName]));
  if (broken === undefined) return undefined;
  const { field: { jsonName: path }, text } = broken;
  return new Fault('INVALID_PARAMETER', `the parameter ${path} ${text}`, { violations: [{ path, message: text }] });
}

interface Rule {
  readonly field: DescField;
  readonly text: string;
  isBroken(value: unknown): boolean;
}

function ruleOf(field: DescField): Rule {
  const { pattern, zeroIsAbsent } = fieldRules(field);
  if (pattern === '') {
    const least = zeroIsAbsent ? 0 : 1;
    const { most } = integerRange(field)!;
    return {
      field,
      text: `must be a whole number from ${least} to ${most}`,
      isBroken: (value) => typeof value === 'number' && (value < least || value > most),
    };
  }
  const whole = new RegExp(`^(?:${pattern})$`, 'u');
  return { field, text: `must match ${pattern}`, isBroken: (value) => typeof value === 'string' && !whole.test(value) };
}
