import { documentPath } from '@platform/openapi';
import type { Example } from '@platform/proto/examples';
import { type Check, type DescField, type Method, ScalarType } from '@platform/surface';

/** The account for which a call acts: acme, its caller's own account, or a named user. */
export type ActsFor = 'organization' | 'own account' | 'user';

/** One way to call a method. */
export interface Case {
  readonly name: string;
  readonly method: Method;
  /** The parameters and body of the call. */
  readonly example: Example;
  readonly actsFor: ActsFor;
  /** The value of the field on which the relation depends. */
  readonly action: string | undefined;
  /** The relations of which the caller needs one, while the body can be read. */
  readonly relations: readonly string[];
}

/** The organization of the examples, and its owner. */
const [organization, user] = ['acme', 'alice'];

/**
 * Every way to call a method that its access rule distinguishes, with the values of its example: each action, each
 * acting account, and with and without the fields that need another relation.
 * @throws Error for a bound method without an example
 */
export function casesOf(method: Method, examples: ReadonlyMap<string, Example>): Case[] {
  const cases: Case[] = [];
  for (const { actsFor, example: own } of accountsOf(method, exampleOf(method, examples))) {
    for (const { detail, ...asked } of requestsOf(method, own)) {
      const details = [actsFor === 'organization' ? undefined : actsFor, asked.action, detail]
        .filter((one) => one !== undefined);
      const name = details.length === 0 ? method.fullName : `${method.fullName} (${details.join(', ')})`;
      cases.push({ name, method, actsFor, ...asked });
    }
  }
  return cases;
}

/** How a method is called. @throws Error for a bound method without an example */
export function exampleOf(method: Method, examples: ReadonlyMap<string, Example>): Example {
  return examples.get(method.fullName) ?? unboundExample(method, examples);
}

/** An internal method refuses each request; an upload is called like the method that uses the uploaded file. */
function unboundExample(
  { http, access, fullName, service, name }: Method, examples: ReadonlyMap<string, Example>,
): Example {
  if (http) throw new Error(`${fullName} has no example: add one beside its proto`);
  const taken = name.replace(/^Upload/, '');
  const form = [...examples].find(([other]) => other.startsWith(`${service}.`) && other.endsWith(taken));
  if (access.account?.from === 'object' && !form) throw new Error(`${fullName} names an object: add an example`);
  return form?.[1] ?? {};
}

type Acting = Pick<Case, 'actsFor' | 'example'>;

/** The accounts for which a method may act. If the example names another organization, acme replaces it. */
function accountsOf(method: Method, example: Example): Acting[] {
  const { account } = method.access;
  if (account?.from !== 'slug') return [{ actsFor: 'organization', example }];
  const by = (name: string | undefined) => withValue(method, example, account.field, name);
  const acting: Acting[] = [{ actsFor: 'organization', example: by(organization) }];
  if (account.optional) acting.push({ actsFor: 'own account', example: by(undefined) });
  if (account.orUser) acting.push({ actsFor: 'user', example: by(user) });
  return acting;
}

interface Asked extends Pick<Case, 'example' | 'action' | 'relations'> {
  readonly detail: string | undefined;
}

function requestsOf(method: Method, example: Example): Asked[] {
  const { check } = method.access;
  if (!check) return [{ example, action: undefined, relations: [], detail: undefined }];
  const { actionField } = check;
  if (actionField !== undefined) {
    return [...check.actions].map(([action, { relation }]) =>
      ({ example: withValue(method, example, actionField, action), action, relations: [relation], detail: undefined }));
  }
  const given = check.instead.flatMap((one) => one.given);
  const without = given.reduce((less, field) => withValue(method, less, field, undefined), example);
  const usual = { example: without, action: undefined, relations: [check.relation!], detail: undefined };
  return [usual, ...insteadOf(method, check, without)];
}

function insteadOf(method: Method, { instead }: Check, without: Example): Asked[] {
  return instead.flatMap(({ given, relation }) => given.map((local) => {
    const example = withValue(method, without, local, anyValueOf(method, local));
    return { example, action: undefined, relations: [relation], detail: `with ${fieldOf(method, local).jsonName}` };
  }));
}

function anyValueOf(method: Method, local: string): unknown {
  const field = fieldOf(method, local);
  const one = 'scalar' in field && field.scalar === ScalarType.STRING ? 'x' : 1;
  return field.fieldKind === 'list' ? [one] : one;
}

/** The example with another value of a field, or without it. @param local as access rules name it: `wish.clusterId` */
function withValue(method: Method, example: Example, local: string, value: unknown): Example {
  const { jsonName } = fieldOf(method, local);
  const isInBody = local.includes('.') || method.http?.body === '*' && !documentPath(method).includes(`{${jsonName}}`);
  const place = isInBody ? 'body' : 'parameters';
  const values: Record<string, unknown> = { ...(example[place] as object | undefined) };
  if (value === undefined) delete values[jsonName];
  else values[jsonName] = value;
  return { ...example, [place]: values };
}

/** A field of the request, or of the message in it that is its body. */
function fieldOf({ input, fullName, http }: Method, local: string): DescField {
  const [first, second] = local.split('.');
  const field = input.fields.find(({ localName }) => localName === first);
  const body = field?.name === http?.body ? field?.message : undefined;
  const found = second === undefined ? field : body?.fields.find(({ localName }) => localName === second);
  if (!found) throw new Error(`${fullName} has no field ${local}`);
  return found;
}
