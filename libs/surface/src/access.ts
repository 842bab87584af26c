import type { DescMethod } from '@bufbuild/protobuf';
import type { Access } from '@platform/proto/options/platform/options';
import { AccountRight as Right } from '@platform/proto/options/platform/options';
import { type AccountRight, accountRights } from './account-rights.ts';

/** Where the acting organization of a call comes from (`platform.access.organization`). */
export type OrganizationSource =
  /** A request field that holds its slug. */
  | { from: 'slug'; field: string }
  /** The owner of an object, whose id a request field holds. A caller who is no member is answered NOT_FOUND. */
  | { from: 'object'; type: string; field: string };

/** The relation a caller must hold (`platform.access.check`). */
export interface Check {
  /** Type of the object in the authorization model. */
  type: string;
  /** Request field with the object's id (organization: its slug); undefined for the one object `site:main`. */
  field: string | undefined;
  /** The relation; undefined where it depends on what `actionField` asks for. */
  relation: string | undefined;
  actionField: string | undefined;
  /** What each value of `actionField` needs. */
  actions: ReadonlyMap<string, Action>;
}

/** What a caller must hold for one of several things a method can do. */
export interface Action {
  relation: string;
  /** Request field that, holding the caller's own id, stands in for the relation. */
  orSelf: string | undefined;
}

/** Who may call a method: the parsed form of the option `platform.access`. */
export interface AccessRule {
  who: 'internal' | 'anonymous' | 'public' | 'token' | 'member';
  organization: OrganizationSource | undefined;
  organizationOptional: boolean;
  /** What the caller's account itself must have. */
  right: AccountRight | undefined;
  check: Check | undefined;
}

/** Request fields that the rule looks at, by their local names: what is wrong with one is told before anything else. */
export function fieldsOfAccess({ organization, check }: AccessRule): ReadonlySet<string> {
  const actions = [...(check?.actions.values() ?? [])];
  const fields = [organization?.field, check?.field, check?.actionField, ...actions.map(({ orSelf }) => orSelf)];
  return new Set(fields.filter((field) => field !== undefined));
}

const checkForm = /^(?<type>[a-z_]+):(?:\{(?<field>\w+)\}|main)#(?:(?<relation>[a-z_]+)|\{(?<actionField>\w+)\})$/;
const objectForm = /^(?<type>[a-z_]+):\{(?<field>\w+)\}$/;

/**
 * Parses and checks the access rule of a method. Throws when it has none, or one that contradicts itself or names
 * fields the request does not have: a method without an access rule must not start.
 */
export function parseAccess(method: DescMethod, access: Access | undefined): AccessRule {
  const wrong = (why: string) => new Error(`${method.parent.typeName}.${method.name}: platform.access ${why}`);
  if (access === undefined) throw wrong('is missing');

  const stances = (['internal', 'anonymous', 'public', 'token', 'member'] as const).filter((stance) => access[stance]);
  const [who] = stances;
  if (who === undefined || stances.length > 1) {
    throw wrong('must have exactly one of internal, anonymous, public, token, member');
  }
  const field = (name: string): string => {
    const found = method.input.fields.find((candidate) => candidate.name === name);
    if (!found) throw wrong(`names the field ${name}, which ${method.input.name} does not have`);
    return found.localName;
  };

  let organization: OrganizationSource | undefined;
  if (access.organization !== '') {
    const object = objectForm.exec(access.organization)?.groups;
    organization = object
      ? { from: 'object', type: object.type!, field: field(object.field!) }
      : { from: 'slug', field: field(access.organization) };
  }
  let check: Check | undefined;
  if (access.check !== '') {
    const parts = checkForm.exec(access.check)?.groups;
    if (!parts) throw wrong(`has a check that is not of the form type:{field}#relation: ${access.check}`);
    check = {
      type: parts.type!,
      field: parts.field === undefined ? undefined : field(parts.field),
      relation: parts.relation,
      actionField: parts.actionField === undefined ? undefined : field(parts.actionField),
      actions: new Map(
        access.actions.map(({ name, relation, orSelf }) => [
          name,
          { relation, orSelf: orSelf === '' ? undefined : field(orSelf) },
        ]),
      ),
    };
    if ((check.actionField === undefined) !== (check.actions.size === 0)) {
      throw wrong('must list actions where, and only where, its relation depends on a field');
    }
    if ((check.field === undefined) !== (check.type === 'site')) throw wrong('must check a field, or site:main');
  }
  if (!check && access.actions.length > 0) throw wrong('lists actions, so it must have a check');
  const right = accountRights.get(access.right);
  if (!right && access.right !== Right.ACCOUNT_RIGHT_UNSPECIFIED) throw wrong('asks for an unknown right');
  if (right && who !== 'token' && who !== 'member') throw wrong('asks for a right, so it needs token or member');
  if (check && who !== 'token' && who !== 'member') throw wrong('has a check, so it needs token or member');
  if (who === 'member' && !organization) throw wrong('asks for a member, so it must say of which organization');
  if (check && check.type !== 'site') {
    if (!organization) throw wrong('has a check, so it must name the organization');
    // Decided in the acting organization alone, whatever else the request names.
    const named = organization.from === 'object' ? organization : { type: 'organization', field: organization.field };
    const mustBeNamed = organization.from === 'object' || check.type === 'organization';
    if (mustBeNamed && (check.type !== named.type || check.field !== named.field)) {
      throw wrong(`must check the ${named.type} by which it names the organization`);
    }
  }
  if ((who === 'internal' || who === 'anonymous') && organization) throw wrong(`is ${who}, so it has no organization`);
  if (access.organizationOptional && organization?.from !== 'slug') {
    throw wrong('has organization_optional, so it must name the field with the slug');
  }
  return {
    who,
    organization,
    organizationOptional: access.organizationOptional,
    right,
    check,
  };
}
