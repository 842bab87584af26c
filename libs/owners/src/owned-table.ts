import type { Fragment } from '@platform/postgres';

/**
 * A table whose rows belong to accounts: `id`, `owner_id`, `created_at`, a UUID by which a row is found again, and
 * texts. Its triggers refuse rows of owners in `closed_owner` by the constraint `<type>_owner_open` (owned-rows.sql,
 * ADR 0035). Where names are unique per owner, the constraint is `<type>_name_of_owner`.
 */
export interface OwnedTable<TextName extends string> {
  /** Type in the authorization model, and name of the table. */
  readonly type: string;
  /** Of the type, and name of the list in messages. */
  readonly plural: string;
  /** The UUID: its field in messages, its column, and what people call it. */
  readonly key: {
    readonly field: string;
    readonly column: string;
    readonly title: string;
    /** Several accounts may have a row with this key, each one of its own. Else the key is unique. */
    readonly perOwner?: true;
  };
  /** Condition for the rows that keep their owner from being deleted; all rows when left out. */
  readonly holding?: Fragment;
  /** By field in messages. */
  readonly texts: Readonly<Record<TextName, TextColumn>>;
}

export interface TextColumn {
  readonly column: string;
  /** Fewest and most characters. */
  readonly least: number;
  readonly most: number;
}

/** What a row is made of. */
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

/** Constraint broken by a second row of an owner with the same name, where names are unique per owner. */
export function nameConstraint({ type }: Pick<OwnedTable<never>, 'type'>): string {
  return `${type}_name_of_owner`;
}

/** Constraint broken by rows for a closed owner. */
export function ownerOpenConstraint({ type }: Pick<OwnedTable<never>, 'type'>): string {
  return `${type}_owner_open`;
}
