import type { Quantities } from '../usage/figures.ts';

/** The content of the document about the usage of a month (open-points 7.4). A worker thread typesets it. */
export interface MonthDocument {
  readonly letterhead: {
    readonly appName: string;
    /** `#rrggbb` */
    readonly primaryColor: string;
    /** PNG. */
    readonly logo: Uint8Array;
  };
  /** Slug of the owner. */
  readonly owner: string;
  /** `January 2026` */
  readonly month: string;
  /** Start and end of the month in RFC 3339. The end is exclusive. */
  readonly period: { readonly start: string; readonly end: string };
  /** Whether late events can no longer change the month. */
  readonly final: boolean;
  /**
   * A time in RFC 3339. For a preliminary month, use is counted up to this time. A final month became final at this
   * time.
   */
  readonly asOf: string;
  /** `billable` is the sum of production and non-production. */
  readonly totals: Amounts & { readonly billable: Quantities };
  /**
   * The use of each day (UTC), in core-minutes and GiB-minutes. There is one series for each owner and kind of object.
   * If that gives too many series, the smallest are summed up in one series.
   */
  readonly series: readonly Series[];
  readonly tables: readonly Table[];
}

/** `total` is in core-minutes and GiB-minutes. The other amounts are in core-months and GiB-months. */
export type Amounts = Readonly<Record<'total' | 'prod' | 'nonProd' | 'free', Quantities>>;

export interface Series {
  readonly name: string;
  /** One element for each day of the month. */
  readonly days: readonly Quantities[];
}

export interface Table {
  readonly title: string;
  /** Heading of the first column, which contains the names of the rows. Example: `Cluster`. */
  readonly subject: string;
  readonly rows: readonly TableRow[];
}

export interface TableRow {
  readonly name: string;
  /** Shown below the name. */
  readonly note: string;
  /** Whether the row is a detail of another row: the nearest row above for which `isPart` is false. */
  readonly isPart: boolean;
  readonly amounts: Amounts;
}
