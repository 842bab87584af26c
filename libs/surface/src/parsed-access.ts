import type { AccountRight, ReasonName } from './account-rights.ts';

/** How a request names an object: by an id or a UUID, or by names within the acting account. */
export interface NamedObject {
  /** Type of the object in the authorization model. */
  type: string;
  /** Request fields with its names, without the field of the account. */
  fields: readonly string[];
  /** The names are unique within the acting account only (`cluster:{owner}/{cluster}`). */
  withinAccount: boolean;
}

/** How the body of a request names an object: by a field of the message that it fills. */
export interface ObjectInBody {
  /** Type of the object in the authorization model. */
  type: string;
  /** The request field with the message, and the field in it. */
  message: string;
  field: string;
}

/** Where the acting account of a call comes from (`controlplane.access.organization`). */
export type AccountSource = {
  /** It may be a user other than the caller. */
  orUser: boolean;
} & (
  /**
   * A request field with its name. `optional`: the caller's own account, when it is empty or names the caller.
   * `ownerOf`: the owner of this object, when it is empty.
   */
  | { from: 'slug'; field: string; optional: boolean; ownerOf?: ObjectInBody }
  /** The owner of an object, and the refusal of a caller who does not belong to it. */
  | { from: 'object'; object: NamedObject; stranger: ReasonName }
);

/** The relation a caller must hold (`controlplane.access.check`). */
export interface Check {
  /** Type of the object in the authorization model. */
  type: string;
  /** What the request names; undefined for `site:main` and for the acting account itself. */
  object: NamedObject | undefined;
  /** The relation; undefined where it depends on the value of `actionField`. */
  relation: string | undefined;
  actionField: string | undefined;
  /** What each value of `actionField` needs. */
  actions: ReadonlyMap<string, Action>;
  /** What is needed instead of `relation` where the request sets one of the fields, such as `wish.clusterId`. */
  instead: readonly { given: readonly string[]; relation: string }[];
  /** The refusal when the object does not exist or belongs to another account. */
  missing: ReasonName;
}

/** What a caller must hold for one of several actions of a method. */
export interface Action {
  relation: string;
  /** A request field that stands in for the relation when it holds the caller's own id. */
  orSelf: string | undefined;
}

/** Who may call a method: the parsed form of the option `controlplane.access`. */
export interface AccessRule {
  who: 'internal' | 'anonymous' | 'public' | 'token' | 'member';
  account: AccountSource | undefined;
  /** What the caller's account itself must have. */
  right: AccountRight | undefined;
  check: Check | undefined;
  /** The scope whose bound tokens are accepted, with `{field}` by local names; undefined: none is. */
  scope?: string | undefined;
  /** The scope that a token needs (open-points 18.2), such as `read:contract`; undefined where none or any will do. */
  tokenScope: string | undefined;
}

/** Request fields, by their local names, that must be read before the rule can be applied (open-points 1.5, step 3). */
export function fieldsOfAccess({ account, check }: AccessRule): ReadonlySet<string> {
  const ofAccount = account?.from === 'slug' ? [account.field] : (account?.object.fields ?? []);
  const actions = [...(check?.actions.values() ?? [])];
  const fields = [
    ...ofAccount, ...(check?.object?.fields ?? []), check?.actionField, ...actions.map(({ orSelf }) => orSelf),
  ];
  return new Set(fields.filter((field) => field !== undefined));
}

/** Every relation that a request may need, each once. */
export function relationsOfCheck({ relation, actions, instead }: Check): string[] {
  const named = [...actions.values(), ...instead].map((one) => one.relation);
  return [...new Set(relation === undefined ? named : [relation, ...named])];
}
