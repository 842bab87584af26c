import type { Fragment } from '@platform/postgres';

/**
 * A table whose rows belong to accounts. It has the columns `id`, `owner_id`, `created_at`, the key (a UUID) and texts.
 * Its triggers refuse rows that are added for, or moved to, an owner in `closed_owner` (owned-rows.sql, ADR 0035). The
 * error then names the constraint `<type>_owner_open`. If names are unique per owner, the table has the constraint
 * `<type>_name_of_owner`.
 */
export interface OwnedTable<TextName extends string> {
  /** Type in the authorization model, and name of the table. */
  readonly type: string;
  /** Plural of the type. It is also the name of the request field that contains the rows. */
  readonly plural: string;
  /** The UUID by which callers know a row. */
  readonly key: {
    readonly field: string;
    readonly column: string;
    /** Name of the key in error messages. */
    readonly title: string;
    /** True: several accounts may each have one row with the same key. Absent: the key is unique in the table. */
    readonly perOwner?: true;
  };
  /** SQL condition: the row prevents the deletion of its owner. Default: true. */
  readonly holding?: Fragment;
  /** Text columns, by the name of their field in a request. */
  readonly texts: Readonly<Record<TextName, TextColumn>>;
}

export interface TextColumn {
  readonly column: string;
  /** Minimum and maximum length, in characters. */
  readonly least: number;
  readonly most: number;
}

export type NewRow<TextName extends string> = Readonly<Record<TextName, string>> & {
  /** UUID in lower case. */
  readonly key: string;
  readonly ownerId: number;
};

export type OwnedRow<TextName extends string> = NewRow<TextName> & { readonly id: number; readonly createdAt: Date };

export function nameConstraint({ type }: Pick<OwnedTable<never>, 'type'>): string {
  return `${type}_name_of_owner`;
}

export function ownerOpenConstraint({ type }: Pick<OwnedTable<never>, 'type'>): string {
  return `${type}_owner_open`;
}
