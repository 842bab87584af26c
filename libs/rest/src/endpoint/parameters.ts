import { type Query, tokenParameters } from '@platform/http';
import { Fault } from '@platform/faults';
import {
  type DescField, fieldRules, fieldsOfAccess, isFromHeaders, type Method, parseTemplate, wrappedField,
} from '@platform/surface';
import type { Message } from '../json/decode-message.ts';
import type { Hit } from '../routing/route-table.ts';
import { textKindOf } from './text-values.ts';

/** Faults of the parameters, by the step of open-points 1.5 that checks them. */
export interface ParameterFaults {
  /** Step 3: path parameters, and query parameters that the access rule needs. */
  access?: Fault;
  /** Step 6: all other query parameters. */
  other?: Fault;
}

export interface Parameters {
  readonly pathFields: ReadonlySet<string>;
  read(path: Hit<unknown>['parameters'], query: Query, message: Message): ParameterFaults;
}

type ReadPath = (text: string | undefined, message: Message) => Fault | undefined;
type ReadQuery = (query: Query, message: Message) => Fault | undefined;

/**
 * Compiles how a method reads the parameters in its path and query.
 * @throws Error if the method is not bound to REST, or if its path or a query parameter is invalid
 */
export function compileParameters(method: Method): Parameters {
  const { http, input, access, rest } = method;
  if (!http) throw new Error(`${method.fullName} is not bound to REST`);
  const wrong = (why: string) => new Error(`${method.fullName}: ${why}`);
  const readers = new Map<string, ReadPath>();
  for (const segment of parseTemplate(http.template).segments) {
    if (segment.kind === 'fixed') continue;
    const field = input.fields.find(({ name }) => name === segment.field);
    if (!field) throw wrong(`its path names ${segment.field}, which the request does not have`);
    readers.set(field.name, pathReader(field, wrong));
  }

  const needed = fieldsOfAccess(access);
  const inQuery = http.body === '*' ? [] : input.fields.filter((field) =>
    !readers.has(field.name) && field.name !== http.body && !isFromHeaders(field));
  const queries = inQuery.map((field) => {
    if (tokenParameters.has(field.jsonName) && access.who !== 'anonymous') {
      throw wrong(`its query parameter ${field.jsonName} has the name of a credential`);
    }
    return { forAccess: needed.has(field.localName), read: queryReader(field, rest.paged, wrong) };
  });

  return {
    pathFields: new Set(readers.keys()),
    read: (path, query, message) => {
      const faults: ParameterFaults = {};
      for (const [field, text] of path) {
        const fault = readers.get(field)!(text, message);
        if (fault) faults.access ??= fault;
      }
      for (const { forAccess, read } of queries) {
        const fault = read(query, message);
        if (fault) faults[forAccess ? 'access' : 'other'] ??= fault;
      }
      const badText = 'the query has an invalid percent escape, invalid UTF-8, or NUL';
      if (query.hasBadText) faults.other ??= new Fault('INVALID_PARAMETER', badText);
      return faults;
    },
  };
}

function pathReader(field: DescField, wrong: (why: string) => Error): ReadPath {
  const kind = field.fieldKind === 'list' ? undefined : textKindOf(field, 'positive');
  if (!kind) throw wrong(`the field ${field.name} has a type that a path parameter cannot have`);
  return (text, message) => {
    const value = text === undefined ? undefined : kind.read(text);
    if (value === undefined) return invalid(field.jsonName, `must be ${kind.accepts}`);
    message[field.name] = value;
    return undefined;
  };
}

function queryReader(field: DescField, paged: boolean, wrong: (why: string) => Error): ReadQuery {
  const { flatten, required, zeroIsAbsent } = fieldRules(field);
  const { jsonName, name } = field;
  // A list is wrapped in a message if the API distinguishes an absent list from an empty list.
  const values = flatten && field.message && field.fieldKind === 'message' ? wrappedField(field.message) : field;
  const isPage = paged && (jsonName === 'page' || jsonName === 'limit' || jsonName === 'per_page');
  const kind = textKindOf(values, isPage ? 'page' : zeroIsAbsent ? 'orZero' : 'positive');
  if (!kind) throw wrong(`the field ${name} has a type that a query parameter cannot have`);
  const isList = values.fieldKind === 'list';
  return (query, message) => {
    const given = query.all(jsonName);
    if (given.length === 0) return required ? invalid(jsonName, 'is required') : undefined;
    if (!isList && given.length > 1) return invalid(jsonName, 'may be given once');
    const read = given.map((text) => (text === undefined ? undefined : kind.read(text)));
    if (read.includes(undefined)) return invalid(jsonName, `must be ${kind.accepts}`);
    message[name] = isList ? (values === field ? read : { [values.name]: read }) : read[0];
    return undefined;
  };
}

function invalid(path: string, message: string): Fault {
  return new Fault('INVALID_PARAMETER', `the parameter ${path} ${message}`, { violations: [{ path, message }] });
}
