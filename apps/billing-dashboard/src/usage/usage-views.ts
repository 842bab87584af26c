import { sql } from '@platform/postgres';
import { readClusterNames } from './names.ts';
import { readContractNames } from './contract-names.ts';
import { type MonthView, type Reading, sumOf, type Used } from './month-view.ts';

/**
 * The latest mode, whichever use is shown (open-points 13.5): microseconds have 16 digits until 2286, so texts that
 * begin with them order as times do.
 */
const latestMode = sql`substr(max((from_us || mode) collate "C"), 17) as "mode"`;
const objects = sql`count(distinct metered_id) filter (where is_shown)::integer as "objects"`;

interface InCluster {
  readonly ownerId: number;
  readonly clusterUid: string;
}

export interface ObjectRow extends InCluster {
  readonly objectUid: string;
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly namespaceUid: string;
  readonly mode: string;
}

export const objectsView: MonthView<ObjectRow> = {
  product: 'productdb',
  view: 'objects-usage-view',
  columns: sql`
    object.owner_id as "ownerId", object.cluster_uid as "clusterUid", object.object_uid as "objectUid",
    object.api_group as "group", object.kind, object.name, object.namespace, object.namespace_uid as "namespaceUid"`,
  keys: sql`metered_id, "ownerId", "clusterUid", "objectUid", "group", kind, name, namespace, "namespaceUid"`,
  also: latestMode,
  key: sql`metered_id::text`,
  rows: async (used, { database, deadline, usage }) => {
    const clusterOf = await readClusterNames(database, used, deadline);
    return used.map((row) => ({
      rowKey: row.rowKey,
      seriesKey: row.objectUid,
      name: row.name,
      ownerId: row.ownerId,
      use: row.use,
      shown: {
        objectID: row.objectUid, group: row.group, kind: row.kind, name: row.name, namespace: row.namespace,
        namespaceUID: row.namespaceUid, clusterUID: row.clusterUid, clusterName: clusterOf(row).name, mode: row.mode,
        usage: usage(row.use),
      },
    }));
  },
};

interface KindOfCluster extends InCluster {
  readonly group: string;
  readonly kind: string;
  readonly objects: number;
  readonly latest: string;
}

/** Usage of each cluster; by group and kind for the database product alone. */
export function clustersView(product: string): MonthView<KindOfCluster> {
  return {
    product,
    view: 'clusters-usage-view',
    columns: sql`
      object.owner_id as "ownerId", object.cluster_uid as "clusterUid", object.api_group as "group", object.kind`,
    keys: sql`"ownerId", "clusterUid", "group", kind`,
    also: sql`${objects}, max((from_us || mode) collate "C") as "latest"`,
    key: sql`"ownerId" || ' ' || "clusterUid"`,
    rows: async (used, reading) => {
      const { database, deadline, usage } = reading;
      const clusterOf = await readClusterNames(database, used, deadline);
      return grouped(used).map(([rowKey, kinds]) => {
        const [{ ownerId, clusterUid }] = kinds;
        const use = sumOf(kinds.map((kind) => kind.use));
        const { name, provider } = clusterOf({ ownerId, clusterUid });
        return {
          rowKey, seriesKey: clusterUid, name, ownerId, use,
          shown: {
            clusterUID: clusterUid, clusterName: name, provider,
            mode: kinds.map(({ latest }) => latest).toSorted().at(-1)!.slice(16),
            objects: kinds.reduce((sum, kind) => sum + kind.objects, 0),
            ...(product === 'productdb' ? { kinds: kindsOf(kinds, reading) } : {}),
            usage: usage(use),
          },
        };
      });
    },
  };
}

function kindsOf(kinds: readonly Used<KindOfCluster>[], { usage, memory }: Reading) {
  return byMemory(kinds, memory, ({ group, kind }) => `${group}/${kind}`)
    .map(({ group, kind, objects: count, use }) => ({ group, kind, objects: count, usage: usage(use) }));
}

interface NamespaceRow extends InCluster {
  readonly namespace: string;
  readonly namespaceUid: string;
  readonly clientOrgId: string;
  readonly objects: number;
}

export const namespacesView: MonthView<NamespaceRow> = {
  product: 'productdb',
  view: 'namespaces-usage-view',
  columns: sql`
    object.owner_id as "ownerId", object.cluster_uid as "clusterUid", object.namespace,
    object.namespace_uid as "namespaceUid", object.client_org_id`,
  keys: sql`"ownerId", "clusterUid", namespace, "namespaceUid"`,
  also: sql`${objects}, max(client_org_id) filter (where is_shown) as "clientOrgId"`,
  key: sql`jsonb_build_array("ownerId", "clusterUid", namespace, "namespaceUid")::text`,
  rows: async (used, { database, deadline, usage }) => {
    const clusterOf = await readClusterNames(database, used, deadline);
    return used.map(({ rowKey, ownerId, clusterUid, namespace, namespaceUid, clientOrgId, objects: count, use }) => {
      const { name: clusterName } = clusterOf({ ownerId, clusterUid });
      return {
        rowKey,
        seriesKey: `${clusterUid}/${namespace}`,
        name: namespace,
        ownerId,
        use,
        shown: {
          clusterUID: clusterUid, clusterName, namespace, namespaceUID: namespaceUid,
          ...(clientOrgId === '' ? {} : { clientOrgID: clientOrgId }), objects: count, usage: usage(use),
        },
      };
    });
  },
};

interface GroupKindRow {
  readonly ownerId: number;
  readonly group: string;
  readonly kind: string;
  readonly objects: number;
  readonly clusters: number;
}

export const groupKindsView: MonthView<GroupKindRow> = {
  product: 'productdb',
  view: 'gks-usage-view',
  columns: sql`object.owner_id as "ownerId", object.api_group as "group", object.kind, object.cluster_uid`,
  keys: sql`"ownerId", "group", kind`,
  also: sql`${objects}, count(distinct cluster_uid) filter (where is_shown)::integer as "clusters"`,
  key: sql`jsonb_build_array("ownerId", "group", kind)::text`,
  rows: async (used, { usage }) => used.map(({ rowKey, ownerId, group, kind, objects: count, clusters, use }) => ({
    rowKey,
    seriesKey: `${group}/${kind}`,
    name: kind,
    ownerId,
    use,
    shown: { group, kind, objects: count, clusters, usage: usage(use) },
  })),
};

interface ContractClusterRow extends InCluster {
  readonly contractId: number;
}

export function contractsView(product: string): MonthView<ContractClusterRow> {
  return {
    product,
    view: 'contracts-usage-view',
    columns: sql`object.owner_id as "ownerId", object.cluster_uid as "clusterUid"`,
    keys: sql`"ownerId", contract_id, "clusterUid"`,
    also: sql`contract_id as "contractId"`,
    key: sql`"ownerId" || ' ' || contract_id`,
    rows: async (used, { database, deadline, usage, memory }) => {
      const clusterOf = await readClusterNames(database, used, deadline);
      const contractOf = await readContractNames(database, used.map(({ contractId }) => contractId), deadline);
      return grouped(used).map(([rowKey, clusters]) => {
        const [{ ownerId, contractId }] = clusters;
        const use = sumOf(clusters.map((cluster) => cluster.use));
        const { name, quota } = contractOf(contractId);
        return {
          rowKey, seriesKey: String(contractId), name, ownerId, use,
          shown: {
            contractID: contractId, contractName: name, ...(quota === undefined ? {} : { quota }),
            clusters: byMemory(clusters, memory, ({ clusterUid }) => clusterUid).map((cluster) => ({
              clusterUID: cluster.clusterUid, clusterName: clusterOf(cluster).name, usage: usage(cluster.use),
            })),
            usage: usage(use),
          },
        };
      });
    },
  };
}

function grouped<Row>(used: readonly Used<Row>[]): [string, [Used<Row>, ...Used<Row>[]]][] {
  return [...Map.groupBy(used, ({ rowKey }) => rowKey)] as [string, [Used<Row>, ...Used<Row>[]]][];
}

/** Largest memory first, then by key. */
function byMemory<Row extends Used<object>>(
  rows: readonly Row[], memory: Reading['memory'], key: (row: Row) => string,
): Row[] {
  return rows.toSorted((one, other) => {
    const [mine, yours] = [memory(one.use), memory(other.use)];
    if (mine !== yours) return mine > yours ? -1 : 1;
    return key(one) < key(other) ? -1 : 1;
  });
}
