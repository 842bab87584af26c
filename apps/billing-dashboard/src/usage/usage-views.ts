import { sql } from '@platform/postgres';
import type { ObjectsOfCluster } from '../store/read-object-lines.ts';
import {
  type Column, type Columns, readUse, readUseOfObjects, sumOf, type Use, type UseOfObject,
} from '../store/read-usage.ts';
import { largestFirst } from './largest-first.ts';
import { readClusterNames } from './names.ts';
import { objectJson, rowsOfObjects } from './object-json.ts';
import { readContractNames } from './contract-names.ts';
import type { MonthView, Reading, ShownRow } from './month-view.ts';

const ofSegment = (name: string): Column => ({
  value: sql`segment.${sql.identifier(name)}`, type: sql`bigint`, ofObject: false,
});
const ownerId = ofSegment('owner_id');
const contractId = ofSegment('contract_id');
const clusterUid: Column = { value: sql`object.cluster_uid`, type: sql`uuid`, ofObject: true };
const text = (name: string): Column => ({
  value: sql`object.${sql.identifier(name)}`, type: sql`text`, ofObject: true,
});
const group = text('api_group');
const kind = text('kind');
const namespace = text('namespace');
const namespaceUid = text('namespace_uid');

const objects = sql`count(distinct segment.metered_id) filter (where is_shown)::integer as "objects"`;
/**
 * Time of the latest event, and its mode, whichever use is shown (open-points 13.5): microseconds have 16 digits until
 * 2286, so texts that begin with them order as times do.
 */
const latest = sql`
  max((coalesce(segment.mode_us, segment.latest_us) || segment.mode) collate "C") as "latest"`;

interface InCluster {
  readonly ownerId: number;
  readonly clusterUid: string;
}

export const objectsView: MonthView<ObjectsOfCluster<UseOfObject>> = {
  product: 'productdb',
  view: 'objects-usage-view',
  namedBy: { meteredId: ofSegment('metered_id') },
  read: readUseOfObjects,
  rows: async (clusters, { database, deadline, usageJson }) => {
    const clusterOf = await readClusterNames(database, clusters, deadline);
    return rowsOfObjects(clusters, clusterOf, (object, ofCluster, owner) => new ObjectRow(object, owner, objectJson(
      object, ',"namespaceUID":', object.namespaceUid, ofCluster, ',"mode":', object.mode,
      ',"usage":', usageJson(object.use),
    )));
  },
};

/** A row that is JSON; there may be 100,000 of them. */
class ObjectRow implements ShownRow {
  readonly meteredId: number;
  readonly seriesKey: string;
  readonly ownerId: number;
  readonly use: Use;
  readonly json: string;

  constructor({ meteredId, objectUid, use }: UseOfObject, ownerId: number, json: string) {
    this.meteredId = meteredId;
    this.seriesKey = objectUid;
    this.ownerId = ownerId;
    this.use = use;
    this.json = json;
  }

  get of(): object {
    return { meteredId: this.meteredId };
  }

  get name(): string {
    return this.show()['name'] as string;
  }

  show(): Readonly<Record<string, unknown>> {
    return JSON.parse(this.json) as Readonly<Record<string, unknown>>;
  }
}

/** A sum of use. */
type Used<Row> = Row & { readonly use: Use };

interface KindOfCluster extends InCluster {
  readonly isShown: boolean;
  readonly group: string;
  readonly kind: string;
  readonly objects: number;
  readonly latest: string;
}

function isShown({ isShown: is }: { readonly isShown: boolean }): boolean {
  return is;
}

/** Reads use by clusters and the kinds in them: an object is in one cluster, so objects can be added up. */
const readKindsOfClusters: MonthView<Used<KindOfCluster>>['read'] = (queryable, scope, deadline) => readUse(
  queryable, scope, { columns: { ownerId, clusterUid, group, kind }, also: sql`${objects}, ${latest}` }, deadline,
);

/** Usage of each cluster; by group and kind for the database product alone. */
export function clustersView(product: string): MonthView<Used<KindOfCluster>> {
  return {
    product,
    view: 'clusters-usage-view',
    namedBy: { ownerId, clusterUid },
    read: readKindsOfClusters,
    rows: async (used, reading) => {
      const { database, deadline, usage } = reading;
      const clusterOf = await readClusterNames(database, used, deadline);
      return grouped(used, (one) => `${one.ownerId} ${one.clusterUid}`).flatMap((all) => {
        const kinds = all.filter(isShown);
        const [first] = kinds;
        if (first === undefined) return [];
        const use = sumOf(kinds.map((one) => one.use));
        const { name, provider } = clusterOf(first);
        return {
          of: first, seriesKey: first.clusterUid, name, ownerId: first.ownerId, use,
          show: () => ({
            clusterUID: first.clusterUid, clusterName: name, provider,
            mode: all.map((one) => one.latest).toSorted().at(-1)!.slice(16),
            objects: countOf(kinds),
            ...(product === 'productdb' ? { kinds: kindsOf(kinds, reading) } : {}),
            usage: usage(use),
          }),
        };
      });
    },
  };
}

function countOf(kinds: readonly KindOfCluster[]): number {
  return kinds.reduce((sum, one) => sum + one.objects, 0);
}

function kindsOf(kinds: readonly Used<KindOfCluster>[], { usage, memory }: Reading) {
  return largestFirst(kinds, (one) => memory(one.use), (one) => `${one.group}/${one.kind}`)
    .map((one) => ({ group: one.group, kind: one.kind, objects: one.objects, usage: usage(one.use) })).toArray();
}

interface NamespaceRow extends InCluster {
  readonly namespace: string;
  readonly namespaceUid: string;
  readonly clientOrgId: string;
  readonly objects: number;
}

const columnsOfNamespace: Columns = { ownerId, clusterUid, namespace, namespaceUid };

export const namespacesView: MonthView<Used<NamespaceRow>> = {
  product: 'productdb',
  view: 'namespaces-usage-view',
  namedBy: columnsOfNamespace,
  read: async (queryable, scope, deadline) => {
    const also = sql`${objects}, max(object.client_org_id) filter (where is_shown) as "clientOrgId"`;
    const used = await readUse<NamespaceRow>(queryable, scope, { columns: columnsOfNamespace, also }, deadline);
    return used.filter(isShown);
  },
  rows: async (used, { database, deadline, usage }) => {
    const clusterOf = await readClusterNames(database, used, deadline);
    return used.map((row) => ({
      of: row,
      seriesKey: `${row.clusterUid}/${row.namespace}`,
      name: row.namespace,
      ownerId: row.ownerId,
      use: row.use,
      show: () => ({
        clusterUID: row.clusterUid, clusterName: clusterOf(row).name, namespace: row.namespace,
        namespaceUID: row.namespaceUid, ...(row.clientOrgId === '' ? {} : { clientOrgID: row.clientOrgId }),
        objects: row.objects, usage: usage(row.use),
      }),
    }));
  },
};

export const groupKindsView: MonthView<Used<KindOfCluster>> = {
  product: 'productdb',
  view: 'gks-usage-view',
  namedBy: { ownerId, group, kind },
  read: readKindsOfClusters,
  rows: async (used, { usage }) =>
    grouped(used.filter(isShown), (one) => JSON.stringify([one.ownerId, one.group, one.kind])).map((clusters) => {
      const [first] = clusters;
      const use = sumOf(clusters.map((one) => one.use));
      return {
        of: first, seriesKey: `${first.group}/${first.kind}`, name: first.kind, ownerId: first.ownerId, use,
        show: () => ({
          group: first.group, kind: first.kind, objects: countOf(clusters), clusters: clusters.length,
          usage: usage(use),
        }),
      };
    }),
};

interface ContractClusterRow extends InCluster {
  readonly contractId: number;
}

export function contractsView(product: string): MonthView<Used<ContractClusterRow>> {
  return {
    product,
    view: 'contracts-usage-view',
    namedBy: { ownerId, contractId },
    read: async (queryable, scope, deadline) => {
      const columns = { ownerId, contractId, clusterUid };
      return (await readUse<ContractClusterRow>(queryable, scope, { columns }, deadline)).filter(isShown);
    },
    rows: async (used, { database, until, deadline, usage, memory }) => {
      const clusterOf = await readClusterNames(database, used, deadline);
      const contractIds = used.map((one) => one.contractId);
      const contractOf = await readContractNames(database, contractIds, until, deadline);
      return grouped(used, (one) => `${one.ownerId} ${one.contractId}`).map((clusters) => {
        const [first] = clusters;
        const use = sumOf(clusters.map((one) => one.use));
        const { name, quota } = contractOf(first.contractId);
        return {
          of: first, seriesKey: first.contractId, name, ownerId: first.ownerId, use,
          show: () => ({
            contractID: first.contractId, contractName: name, ...(quota === undefined ? {} : { quota }),
            clusters: largestFirst(clusters, (one) => memory(one.use), (one) => one.clusterUid).map((one) => ({
              clusterUID: one.clusterUid, clusterName: clusterOf(one).name, usage: usage(one.use),
            })).toArray(),
            usage: usage(use),
          }),
        };
      });
    },
  };
}

function grouped<Row>(
  used: readonly Used<Row>[], key: (row: Used<Row>) => string,
): [Used<Row>, ...Used<Row>[]][] {
  return [...Map.groupBy(used, key).values()] as [Used<Row>, ...Used<Row>[]][];
}
