declare const rowOf: unique symbol;

/**
 * One statement: its text with `$1…`, the values bound to it, and the name under which each connection prepares it
 * once. Made with the tag {@link sql} only, so no value ever becomes text.
 */
export interface Statement<Row = unknown> {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | undefined;
  readonly [rowOf]?: Row;
}

/** A part of a statement: another `sql` text, {@link sql.join} or {@link sql.identifier}. */
export interface Fragment {
  /** Pieces of text; between two pieces stands one value. */
  readonly pieces: readonly string[];
  readonly values: readonly unknown[];
}

/** See the docstring at its implementation; `sql<Row>`…`` with `sql` fragments inside. */
export declare const sql: {
  <Row = unknown>(texts: TemplateStringsArray, ...values: readonly unknown[]): Statement<Row> & Fragment;
  /** Fragments with a separator between them, default `, `. */
  join(parts: readonly Fragment[], separator?: Fragment): Fragment;
  /** A quoted name, each part by itself: `sql.identifier('orgs_teams', 'account')`. */
  identifier(...path: readonly string[]): Fragment;
  /** A value bound as json or jsonb, also when it is an array, text or null. */
  json(value: unknown): unknown;
};
