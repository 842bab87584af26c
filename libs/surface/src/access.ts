import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf';
import type { Access } from '@platform/proto/options/controlplane/options';
import { AccountRight as Right, Scope } from '@platform/proto/options/controlplane/options';
import { Reason } from '@platform/proto/options/controlplane/reason';
import type { AccessRule, AccountSource, Action, Check, NamedObject, ObjectInBody } from './parsed-access.ts';
import { stances } from './access-rule.ts';
import { accountRights, type ReasonName } from './account-rights.ts';
import { scopeFor } from './scopes.ts';

const fieldsForm = String.raw`\{\w+\}(?:/\{\w+\})*`;
const checkForm = new RegExp(
  String.raw`^(?<type>[a-z_]+):(?<name>main|${fieldsForm})#(?:(?<relation>[a-z_]+)|\{(?<actionField>\w+)\})$`,
);
const objectForm = /^(?<type>[a-z_]+):\{(?<field>\w+)\}$/;

/**
 * Parses and checks the access rule of a method. A method without a valid access rule must not be served.
 * @param bound scope of the method's service, and verb of the method's route
 * @throws Error when the rule is missing or invalid
 */
export function parseAccess(
  method: DescMethod, access: Access | undefined, bound: { scope: Scope; verb: string | undefined },
): AccessRule {
  const wrong = (why: string) => new Error(`${method.parent.typeName}.${method.name}: controlplane.access ${why}`);
  if (access === undefined) throw wrong('is missing');
  const field = (path: string): string => {
    const [name, inner] = path.split('.', 2) as [string, string?];
    const outer = method.input.fields.find((candidate) => candidate.name === name);
    const found = inner === undefined ? outer : outer?.message?.fields.find((candidate) => candidate.name === inner);
    if (!found) throw wrong(`names the field ${path}, which ${method.input.name} does not have`);
    return found.localName;
  };

  const [who, another] = stances.filter((stance) => access[stance]);
  if (who === undefined || another !== undefined) {
    throw wrong('must have exactly one of internal, anonymous, public, token, member');
  }
  const needsToken = who === 'token' || who === 'member';
  const right = accountRights.get(access.right);
  if (!right && access.right !== Right.ACCOUNT_RIGHT_UNSPECIFIED) throw wrong('asks for an unknown right');
  if (right && !needsToken) throw wrong('asks for a right, so it needs token or member');

  const account = accountSource(access, field, wrong);
  if (who === 'member' && !account) throw wrong('requires a member, so it must name the organization');
  if ((who === 'internal' || who === 'anonymous') && account) throw wrong(`is ${who}, so it must name no organization`);
  if (access.organizationOptional && !needsToken) throw wrong('has organization_optional, so it needs token or member');

  const check = access.check === '' ? undefined : parseCheck(access, account, field, wrong, method.input);
  if (check && !needsToken) throw wrong('has a check, so it needs token or member');
  if (!check && access.actions.length > 0) throw wrong('lists actions, so it must have a check');
  if (!check && access.instead.length > 0) throw wrong('has `instead`, so it must have a check');
  if (access.ownerOf !== '' && (account?.from !== 'slug' || account.optional)) {
    throw wrong('has owner_of, so it must name the organization by a field, without organization_optional');
  }
  if (access.stranger !== Reason.REASON_UNSPECIFIED && account?.from !== 'object') {
    throw wrong('has `stranger`, so it must name the organization by an object');
  }
  if (access.scope !== '' && !needsToken) throw wrong('has a scope, so it needs token or member');
  const scope = access.scope === '' ? undefined : access.scope.replaceAll(/\{(\w+)\}/g, (_, name) => `{${field(name)}}`);
  if (!check?.object && access.missing !== Reason.REASON_UNSPECIFIED) {
    throw wrong('has `missing`, so it must check an object');
  }
  const looksAtTokens = needsToken || who === 'public';
  if (access.anyScope && (!looksAtTokens || access.tokenScope !== Scope.UNSPECIFIED)) {
    throw wrong('has any_scope, so it must have public, token or member, and must not have token_scope');
  }
  const area = access.tokenScope || (looksAtTokens && !access.anyScope ? bound.scope : Scope.UNSPECIFIED);
  if (looksAtTokens && !access.anyScope && area === Scope.UNSPECIFIED) {
    throw wrong('has no token_scope, and its service has no scope');
  }
  if (!looksAtTokens && area !== Scope.UNSPECIFIED) throw wrong(`is ${who}, so it must not have token_scope`);
  const tokenScope = area === Scope.UNSPECIFIED ? undefined : scopeFor(area, bound.verb);
  return { who, account, right, check, scope, tokenScope };
}

type FieldOf = (name: string) => string;
type Wrong = (why: string) => Error;

function accountSource(access: Access, field: FieldOf, wrong: Wrong): AccountSource | undefined {
  const { organization, organizationOptional: optional, orUser } = access;
  if (organization === '') {
    if (optional || orUser) throw wrong('has organization_optional or or_user, so it must name the organization');
    return undefined;
  }
  const named = objectForm.exec(organization)?.groups;
  if (!named) {
    const ownerOf = access.ownerOf === '' ? {} : { ownerOf: objectInBody(access.ownerOf, field, wrong) };
    return { from: 'slug', field: field(organization), optional, orUser, ...ownerOf };
  }
  if (optional) throw wrong('has organization_optional, so it must name the organization by a field');
  const stranger = Reason[access.stranger || Reason.NOT_FOUND] as ReasonName;
  const object = { type: named['type']!, fields: [field(named['field']!)], withinAccount: false };
  return { from: 'object', object, orUser, stranger };
}

/** Parses the option `owner_of`, such as `cluster:{registration.cluster_uid}`. */
function objectInBody(text: string, field: FieldOf, wrong: Wrong): ObjectInBody {
  const parts = /^(?<type>[a-z_]+):\{(?<message>\w+)\.(?<name>\w+)\}$/.exec(text)?.groups;
  if (!parts) throw wrong('has an owner_of that is not of the form type:{message.field}');
  const { type, message, name } = parts as Record<'type' | 'message' | 'name', string>;
  return { type, message: field(message), field: field(`${message}.${name}`) };
}

function parseCheck(
  access: Access, account: AccountSource | undefined, field: FieldOf, wrong: Wrong, input: DescMessage,
): Check {
  const parts = checkForm.exec(access.check)?.groups;
  if (!parts) throw wrong(`has a check that is not of the form type:name#relation: ${access.check}`);
  const { type, name, relation } = parts as { type: string; name: string; relation: string | undefined };
  if ((name === 'main') !== (type === 'site')) {
    throw wrong('must check site:main, or name an object of another type by fields');
  }
  const actions = new Map(access.actions.map((action): [string, Action] => [
    action.name, { relation: action.relation, orSelf: action.orSelf === '' ? undefined : field(action.orSelf) },
  ]));
  const actionField = parts['actionField'] === undefined ? undefined : field(parts['actionField']);
  if ((actionField === undefined) !== (actions.size === 0)) {
    throw wrong('must list actions if, and only if, its relation depends on a field');
  }
  if (actionField !== undefined && access.instead.length > 0) throw wrong('has actions, so it cannot have `instead`');
  const instead = access.instead.map(({ given, relation: needed }) => ({
    given: given.map((path) => fieldsOnPath(input, path, wrong).map(({ localName }) => localName).join('.')),
    relation: needed,
  }));
  if (instead.some(({ given }) => given.length === 0)) {
    throw wrong('has `instead`, so it must name the fields in `given`');
  }
  const missing = Reason[access.missing || Reason.NOT_FOUND] as ReasonName;
  const fields = [...name.matchAll(/\{(\w+)\}/g)].map(([, one]) => field(one!));
  const object = type === 'site' ? undefined : checkedObject(type, fields, account, wrong);
  return { type, object, relation, actionField, actions, instead, missing };
}

/** The fields on a path such as `wish.cluster_id`, the outermost field first. */
function fieldsOnPath(input: DescMessage, path: string, wrong: Wrong): DescField[] {
  const fields: DescField[] = [];
  let message: DescMessage | undefined = input;
  for (const name of path.split('.')) {
    const found: DescField | undefined = message?.fields.find((candidate) => candidate.name === name);
    if (!found) throw wrong(`names the field ${path}, which ${input.name} does not have`);
    fields.push(found);
    message = found.fieldKind === 'message' ? found.message : undefined;
  }
  return fields;
}

/** Returns the object that a check names; undefined if the check names the acting account itself. */
function checkedObject(
  type: string, fields: readonly string[], account: AccountSource | undefined, wrong: Wrong,
): NamedObject | undefined {
  if (!account) throw wrong('has a check other than site:main, so it must name the organization');
  const [first, ...names] = fields;
  if (account.from === 'object') {
    const { object } = account;
    const isSame = type === object.type && fields.length === 1 && first === object.fields[0];
    if (!isSame) throw wrong(`must check the ${object.type} by which it names the organization`);
    return object;
  }
  const namesAccount = first === account.field;
  if (type === 'organization') {
    if (!namesAccount || names.length > 0) throw wrong('must check the organization by the field that names it');
    return undefined;
  }
  if (namesAccount ? names.length === 0 : names.length > 0) {
    throw wrong(`must name the ${type} by its id, or by the fields with the account and with its name`);
  }
  return namesAccount ? { type, fields: names, withinAccount: true } : { type, fields, withinAccount: false };
}
