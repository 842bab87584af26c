import type { Operations } from '@platform/client';
import { csvOf, platform } from '../api/client.ts';

/** Amounts of use, in the units of the view. Billable use also has the amounts of each billing class. */
export interface Amount {
  cpu: number;
  memory: number;
  prod?: Amount;
  nonProd?: Amount;
  free?: Amount;
}

export interface Point {
  date: string;
  cpu: number;
  memory: number;
}

/** Billing classes in stacking order. Only the view of all use has `unbilled`. */
export const classes = { prod: 'Production', nonProd: 'Other', free: 'Free', unbilled: 'Not billed' } as const;

/** The usage on one day, by billing class. */
export type Day = { date: string } & Partial<Record<keyof typeof classes, Amount>>;

/** The usage of a month (open-points 7.2), with the question that selects it. */
export interface View {
  question: Question;
  units: { cpu: string; memory: string };
  totals: Amount;
  series?: readonly { key: string; name: string; points: readonly Point[] }[];
  days?: readonly Day[];
  rows: readonly Record<string, unknown>[];
  generatedAt: string;
  final: boolean;
}

type ViewName = Extract<keyof Operations, `get${string}Usage`>;

export const products = {
  productdb: 'Databases', productbackup: 'Backup', productvault: 'Vault', productingress: 'Ingress',
} as const;
export type ProductKey = keyof typeof products;

export function isProductKey(name: string): name is ProductKey {
  return Object.hasOwn(products, name);
}

/** Labels of the ways to split the usage of a month. */
export const splits = {
  clusters: 'Clusters', contracts: 'Contracts', namespaces: 'Namespaces', kinds: 'Kinds', objects: 'Objects',
} as const;
export type Split = keyof typeof splits;

/** The operation of each product and split. Products other than databases are split by clusters and contracts only. */
const views: Record<ProductKey, Partial<Record<Split, ViewName>>> = {
  productdb: {
    clusters: 'getClustersUsage',
    contracts: 'getContractsUsage',
    namespaces: 'getNamespacesUsage',
    kinds: 'getGroupKindsUsage',
    objects: 'getObjectsUsage',
  },
  productbackup: { clusters: 'getBackupClustersUsage', contracts: 'getBackupContractsUsage' },
  productvault: { clusters: 'getVaultClustersUsage', contracts: 'getVaultContractsUsage' },
  productingress: { clusters: 'getIngressClustersUsage', contracts: 'getIngressContractsUsage' },
};

export function splitsOf(product: ProductKey): readonly Split[] {
  return Object.keys(views[product]) as Split[];
}

export interface Question {
  org: string;
  /** Such as `2026-11`. */
  month: string;
  product: ProductKey;
  split: Split;
  type: 'total' | 'billable';
  clusterUID?: string;
  namespace?: string;
}

function parametersOf({ org, month, type, clusterUID, namespace }: Question) {
  const [year, number] = month.split('-');
  return {
    org, year: year!, month: number!, view_type: type,
    ...(clusterUID && { clusterUID }), ...(namespace && { namespace }),
  };
}

/** The text that the console shows for each unit, by the name of the unit in the API. */
const units: Readonly<Record<string, string>> = {
  'core-minute': 'core-minutes',
  'core-month': 'core-months',
  'gib-minute': 'GiB-minutes',
  'gib-month': 'GiB-months',
  core: 'cores',
  gib: 'GiB',
};

export async function readView(question: Question): Promise<View> {
  const { product, split } = question;
  const view = await platform.call(views[product][split]!, { parameters: parametersOf(question) } as never);
  const { rows, ...rest } = view as Omit<View, 'question' | 'rows'> & { rows: readonly object[] };
  const { cpu, memory } = rest.units;
  const asWritten = { cpu: units[cpu] ?? cpu, memory: units[memory] ?? memory };
  return { ...rest, question, rows: rows as View['rows'], units: asWritten };
}

/** Returns the address from which the browser downloads the rows of the view as CSV. */
export function csvOfView(question: Question): string {
  const { product, split } = question;
  return csvOf(views[product][split]!, parametersOf(question) as never);
}

const monthNames = Array.from({ length: 12 }, (_, index) =>
  new Date(Date.UTC(2026, index)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }));

/** Returns the months (such as `2026-11`) in which the organization had metered events, newest first. */
export async function countedMonths(org: string): Promise<string[]> {
  const { yearMonthList } = await platform.call('getGeneratedMonths', { parameters: { org } });
  const numberOf = (month: string) => String(monthNames.indexOf(month) + 1).padStart(2, '0');
  return Object.entries(yearMonthList)
    .flatMap(([year, months]) => months.map((month) => `${year}-${numberOf(month)}`)).sort().reverse();
}
