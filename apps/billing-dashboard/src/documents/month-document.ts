import type { Quantities } from '../usage/figures.ts';

/** What a document about the usage of a month shows (open-points 7.4). It is sent to the thread that typesets it. */
export interface MonthDocument {
  readonly letterhead: Letterhead;
  /** Slug of the owner. */
  readonly owner: string;
  /** `January 2026` */
  readonly month: string;
  /** RFC3339, the end exclusive. */
  readonly period: { readonly start: string; readonly end: string };
  /** Whether late events can no longer change the month. */
  readonly final: boolean;
  /** Moment for which the figures hold, RFC3339; of a final month the one from which it was final. */
  readonly asOf: string;
  /** `billable` is the sum of production and non-production. */
  readonly totals: Amounts & { readonly billable: Quantities };
  /** Use of each UTC day, in core-minutes and GiB-minutes: of the largest kinds, and of all others as the last one. */
  readonly series: readonly Series[];
  readonly tables: readonly Table[];
}

/** The branding as documents show it. */
export interface Letterhead {
  readonly appName: string;
  /** `#rrggbb` */
  readonly primaryColor: string;
  /** PNG. */
  readonly logo: Uint8Array;
}

/** Use in core-minutes and GiB-minutes, and what of it was under contracts in core-months and GiB-months. */
export interface Amounts {
  readonly total: Quantities;
  readonly prod: Quantities;
  readonly nonProd: Quantities;
  readonly free: Quantities;
}

export interface Series {
  readonly name: string;
  /** One for each day of the month. */
  readonly days: readonly Quantities[];
}

export interface Table {
  readonly title: string;
  /** What its rows are: `Cluster`. */
  readonly subject: string;
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly name: string;
  /** Shown below the name. */
  readonly note: string;
  /** The row is a part of the last one that is not. */
  readonly isPart: boolean;
  readonly amounts: Amounts;
}
