import type { Fragment } from '@platform/postgres';

/**
 * A table whose rows belong to accounts. Its columns are `id`, `owner_id`, `created_at`, a UUID that identifies a row
 * for callers, and texts. Its triggers refuse rows of owners in `closed_owner` with the constraint `<type>_owner_open`
 * (owned-rows.sql, ADR 0035). If names are unique per owner, the table has the constraint `<type>_name_of_owner`.
 */
export interface OwnedTable<TextName extends string> {
  /** Type in the authorization model, and name of the table. */
  readonly type: string;
  /** Plural of the type, which is also the name of the list in messages. */
  readonly plural: string;
  /** The UUID that identifies a row for callers. */
  readonly key: {
    /** Its field in messages. */
    readonly field: string;
    /** Its column. */
    readonly column: string;
    /** Its name for people. */
    readonly title: string;
    /** True: several accounts may each have one row with the same key. Absent: the key is unique in the table. */
    readonly perOwner?: true;
  };
  /** Condition for the rows that prevent the deletion of their owner. Default: all rows. */
  readonly holding?: Fragment;
  /** Text columns, by their field in messages. */
  readonly texts: Readonly<Record<TextName, TextColumn>>;
}

export interface TextColumn {
  readonly column: string;
  /** Minimum length in characters. */
  readonly least: number;
  /** Maximum length in characters. */
  readonly most: number;
}

/** The content of a new row. */
export type NewRow<TextName extends string> = Readonly<Record<TextName, string>> & {
  /** UUID in lower case. */
  readonly key: string;
  readonly ownerId: number;
};

/** A row of an {@link OwnedTable}. */
export type OwnedRow<TextName extends string> = NewRow<TextName> & {
  readonly id: number;
  readonly createdAt: Date;
};

/** Returns the constraint that refuses a second row with the same name for an owner, if names are unique per owner. */
export function nameConstraint({ type }: Pick<OwnedTable<never>, 'type'>): string {
  return `${type}_name_of_owner`;
}

/** Returns the constraint that refuses rows of a closed owner. */
export function ownerOpenConstraint({ type }: Pick<OwnedTable<never>, 'type'>): string {
  return `${type}_owner_open`;
}
