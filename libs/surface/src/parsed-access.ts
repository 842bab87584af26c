import type { AccountRight, ReasonName } from './account-rights.ts';

/** How a request names an object: by an id or a UUID, or by names within the acting account. */
export interface NamedObject {
  type: string;
  /**
   * The request fields that contain the id, the UUID or the names of the object. Does not include the field of the
   * account. Each field is given by its `localName` (`DescField`).
   */
  fields: readonly string[];
  /** Whether the names are unique within the acting account only (`cluster:{owner}/{cluster}`). */
  withinAccount: boolean;
}

/** How the body of a request names an object: by a field of a message in the body. */
export interface ObjectInBody {
  type: string;
  message: string;
  field: string;
}

/** Where the acting account of a call comes from (`controlplane.access.organization`). */
export type AccountSource = {
  /** Whether the account may be any user. If false, it is an organization, or the caller if `optional` is true. */
  orUser: boolean;
} & (
  /**
   * A request field names the account. `optional`: if the field is empty or names the caller, the caller's own account
   * is used. `ownerOf`: if the field is empty, the owner of this object is used.
   */
  | { from: 'slug'; field: string; optional: boolean; ownerOf?: ObjectInBody }
  /** The account is the owner of this object. `stranger`: the refusal for callers outside the account. */
  | { from: 'object'; object: NamedObject; stranger: ReasonName }
);

/** The relation that a caller must have (`controlplane.access.check`). */
export interface Check {
  type: string;
  /** The object that the request names; undefined for `site:main` and for the acting account itself. */
  object: NamedObject | undefined;
  /** Undefined if the relation depends on the value of `actionField`. */
  relation: string | undefined;
  actionField: string | undefined;
  /** For each value of `actionField`: the relation that the caller must have, and the exception `orSelf`. */
  actions: ReadonlyMap<string, Action>;
  /**
   * Other relations that a request may need. An entry applies if the request sets a field in `given`, such as
   * `wish.clusterId`. The relation of the first entry that applies replaces `relation`.
   */
  instead: readonly { given: readonly string[]; relation: string }[];
  /** The refusal when the object does not exist or belongs to another account. */
  missing: ReasonName;
}

export interface Action {
  relation: string;
  /** A request field. The caller needs no relation if this field contains the caller's own id. */
  orSelf: string | undefined;
}

/** Who may call a method: the parsed form of the option `controlplane.access`. */
export interface AccessRule {
  who: 'internal' | 'anonymous' | 'public' | 'token' | 'member';
  account: AccountSource | undefined;
  right: AccountRight | undefined;
  check: Check | undefined;
  /**
   * A bound token is accepted only if it is bound to this scope. Undefined: no bound token is accepted. `{field}`
   * stands for the value of a request field (local name).
   */
  scope?: string | undefined;
  /** The scope that a token needs (open-points 18.2), such as `read:contract`; undefined if no scope is needed. */
  tokenScope: string | undefined;
}

/**
 * Returns the local names of the request fields that name the account, the object or the action, and of the `orSelf`
 * fields (open-points 1.5, step 3).
 */
export function fieldsOfAccess({ account, check }: AccessRule): ReadonlySet<string> {
  const ofAccount = account?.from === 'slug' ? [account.field] : (account?.object.fields ?? []);
  const ofActions = [...(check?.actions.values() ?? [])].map(({ orSelf }) => orSelf);
  const fields = [...ofAccount, ...(check?.object?.fields ?? []), check?.actionField, ...ofActions];
  return new Set(fields.filter((field) => field !== undefined));
}

export function relationsOfCheck({ relation, actions, instead }: Check): string[] {
  const named = [...actions.values(), ...instead].map((one) => one.relation);
  return [...new Set(relation === undefined ? named : [relation, ...named])];
}
