import type { Operations } from '@platform/client';
import { csvOf, platform } from '../api/client.ts';

/** Amounts as views give them; billable ones with their classes. */
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

/** A month view of usage (open-points 7.2). */
export interface View {
  units: { cpu: string; memory: string };
  totals: Amount;
  series?: { key: string; name: string; points: Point[] }[];
  rows: Record<string, unknown>[];
  generatedAt: string;
  final: boolean;
}

type ViewName = Extract<keyof Operations, `get${string}Usage`>;

export const products = {
  productdb: 'Databases',
  productbackup: 'Backup',
  productvault: 'Vault',
  productingress: 'Ingress',
} as const;
export type ProductKey = keyof typeof products;

/** What a month is split by. */
export const splits = {
  clusters: 'Clusters',
  contracts: 'Contracts',
  namespaces: 'Namespaces',
  kinds: 'Kinds',
  objects: 'Objects',
} as const;
export type Split = keyof typeof splits;

const ofDatabases: Record<Split, ViewName> = {
  clusters: 'getClustersUsage',
  contracts: 'getContractsUsage',
  namespaces: 'getNamespacesUsage',
  kinds: 'getGroupKindsUsage',
  objects: 'getObjectsUsage',
};
const ofOthers: Record<Exclude<ProductKey, 'productdb'>, { clusters: ViewName; contracts: ViewName }> = {
  productbackup: { clusters: 'getBackupClustersUsage', contracts: 'getBackupContractsUsage' },
  productvault: { clusters: 'getVaultClustersUsage', contracts: 'getVaultContractsUsage' },
  productingress: { clusters: 'getIngressClustersUsage', contracts: 'getIngressContractsUsage' },
};

/** Only databases are split further than by clusters and contracts. */
export function splitsOf(product: ProductKey): readonly Split[] {
  return product === 'productdb'
    ? ['clusters', 'contracts', 'namespaces', 'kinds', 'objects']
    : ['clusters', 'contracts'];
}

export interface Question {
  org: string;
  /** `2026-11`. */
  month: string;
  product: ProductKey;
  split: Split;
  type: 'total' | 'billable';
  clusterUID?: string;
  namespace?: string;
}

/** The operation that answers a question, and what it takes. */
function viewOf({ org, month, product, split, type, clusterUID, namespace }: Question) {
  const name = product === 'productdb' ? ofDatabases[split] : ofOthers[product][split as 'clusters' | 'contracts'];
  const [year, number] = month.split('-');
  const parameters = {
    org,
    year: year!,
    month: number!,
    view_type: type,
    ...(clusterUID && { clusterUID }),
    ...(namespace && { namespace }),
  };
  return { name, parameters };
}

/** Units as people write them. */
const units: Readonly<Record<string, string>> = {
  'core-minute': 'core-minutes',
  'core-month': 'core-months',
  'gib-minute': 'GiB-minutes',
  'gib-month': 'GiB-months',
  core: 'cores',
  gib: 'GiB',
};

export async function readView(question: Question): Promise<View> {
  const { name, parameters } = viewOf(question);
  const call = platform.call as (one: ViewName, call: object) => Promise<unknown>;
  const view = (await call(name, { parameters })) as View;
  const { cpu, memory } = view.units;
  return { ...view, units: { cpu: units[cpu] ?? cpu, memory: units[memory] ?? memory } };
}

/** Address of the rows as CSV. */
export function csvOfView(question: Question): string {
  const { name, parameters } = viewOf(question);
  return csvOf(name, parameters as never);
}
