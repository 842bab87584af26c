import { sql } from '@platform/postgres';
import { type Column, type Columns, readUse, sumOf, type UsageScope, type Use, useOfObjects } from './read-usage.ts';
import { largestFirst } from './largest-first.ts';
import { readClusterNames, readContractNames } from './names.ts';
import { objectJson, readObjects } from './object-json.ts';
import type { OwnedCluster } from './read-object-lines.ts';
import { type MonthView, orderKey, type Reading, type ShownRow } from './month-view.ts';

const ofSegment = (name: string): Column => ({
  value: sql`segment.${sql.identifier(name)}`, type: sql`bigint`, ofObject: false,
});
const [ownerId, contractId] = [ofSegment('owner_id'), ofSegment('contract_id')];
const clusterUid: Column = { value: sql`object.cluster_uid`, type: sql`uuid`, ofObject: true };
const text = (name: string): Column => ({
  value: sql`object.${sql.identifier(name)}`, type: sql`text`, ofObject: true,
});
const [group, kind] = [text('api_group'), text('kind')];
const [namespace, namespaceUid] = [text('namespace'), text('namespace_uid')];

const objects = sql`count(distinct segment.metered_id) filter (where is_shown)::integer as "objects"`;
/**
 * A text with the time and the mode of an event: of the latest among the last events of the objects. The use of this
 * event may not be shown (open-points 13.5). The texts sort by time, because each time has 16 digits.
 */
const latest = sql`
  max((coalesce(segment.mode_us, segment.latest_us) || segment.mode) collate "C") as "latest"`;

export const objectsView: MonthView = {
  product: 'productdb', view: 'objects-usage-view', namedBy: { meteredId: ofSegment('metered_id') },
  read: async (scope, { database, deadline, usageJson }, take) => {
    const used = await useOfObjects(database, scope, deadline);
    await readObjects(database, scope, used, ({ line, mode, use }, ofCluster, owner) => {
      const json = objectJson(
        line, ',"namespaceUID":', line.namespaceUid, ofCluster, ',"mode":', mode, ',"usage":', usageJson(use),
      );
      take(new ObjectRow(line.meteredId, owner, json), use, line.objectUid);
    }, deadline);
  },
};

/** The row of an object. It keeps JSON instead of fields to save memory, because there may be 100,000 rows. */
class ObjectRow implements ShownRow {
  readonly meteredId: number;
  readonly ownerId: number;
  readonly json: string;

  constructor(meteredId: number, ownerId: number, json: string) {
    this.meteredId = meteredId;
    this.ownerId = ownerId;
    this.json = json;
  }

  get of(): object {
    return { meteredId: this.meteredId };
  }

  get seriesKey(): string {
    return this.show()['objectID'] as string;
  }

  get name(): string {
    return this.show()['name'] as string;
  }

  show(): Readonly<Record<string, unknown>> {
    return JSON.parse(this.json) as Readonly<Record<string, unknown>>;
  }
}

type Used<Row> = Row & { readonly use: Use };

interface KindOfCluster extends OwnedCluster {
  readonly isShown: boolean;
  readonly group: string;
  readonly kind: string;
  readonly objects: number;
  readonly latest: string;
}

/**
 * Reads the usage of each kind of object in each cluster. An object has one kind and is in one cluster. So the numbers
 * of objects can be added up.
 */
function readKindsOfClusters(scope: UsageScope, { database, deadline }: Reading): Promise<Used<KindOfCluster>[]> {
  return readUse(
    database, scope, { columns: { ownerId, clusterUid, group, kind }, also: sql`${objects}, ${latest}` }, deadline,
  );
}

/** Usage of each cluster. For `productdb`, each row also shows the usage of each kind of object. */
export function clustersView(product: string): MonthView {
  return {
    product, view: 'clusters-usage-view', namedBy: { ownerId, clusterUid },
    read: async (scope, reading, take) => {
      const { database, deadline, usage } = reading;
      const used = await readKindsOfClusters(scope, reading);
      const clusterOf = await readClusterNames(database, used, deadline);
      for (const all of grouped(used, (one) => `${one.ownerId} ${one.clusterUid}`)) {
        const kinds = all.filter((one) => one.isShown);
        const [first] = kinds;
        if (first === undefined) continue;
        const use = sumOf(kinds.map((one) => one.use));
        const { name, provider } = clusterOf(first);
        take({
          of: first, seriesKey: first.clusterUid, name, ownerId: first.ownerId,
          show: () => ({
            clusterUID: first.clusterUid, clusterName: name, provider,
            mode: all.map((one) => one.latest).toSorted().at(-1)!.slice(16),
            objects: countOf(kinds),
            ...(product === 'productdb' ? { kinds: kindsOf(kinds, reading) } : {}),
            usage: usage(use),
          }),
        }, use, first.clusterUid);
      }
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

interface NamespaceRow extends OwnedCluster {
  readonly namespace: string;
  readonly namespaceUid: string;
  readonly clientOrgId: string;
  readonly objects: number;
}

const columnsOfNamespace: Columns = { ownerId, clusterUid, namespace, namespaceUid };

export const namespacesView: MonthView = {
  product: 'productdb', view: 'namespaces-usage-view', namedBy: columnsOfNamespace,
  read: async (scope, { database, deadline, usage }, take) => {
    const also = sql`${objects}, max(object.client_org_id) filter (where is_shown) as "clientOrgId"`;
    const all = await readUse<NamespaceRow>(database, scope, { columns: columnsOfNamespace, also }, deadline);
    const used = all.filter((one) => one.isShown);
    const clusterOf = await readClusterNames(database, used, deadline);
    for (const row of used) {
      const seriesKey = `${row.clusterUid}/${row.namespace}`;
      take({
        of: row, seriesKey, name: row.namespace, ownerId: row.ownerId,
        show: () => ({
          clusterUID: row.clusterUid, clusterName: clusterOf(row).name, namespace: row.namespace,
          namespaceUID: row.namespaceUid, ...(row.clientOrgId === '' ? {} : { clientOrgID: row.clientOrgId }),
          objects: row.objects, usage: usage(row.use),
        }),
      }, row.use, seriesKey);
    }
  },
};

export const groupKindsView: MonthView = {
  product: 'productdb', view: 'gks-usage-view', namedBy: { ownerId, group, kind },
  read: async (scope, reading, take) => {
    const used = (await readKindsOfClusters(scope, reading)).filter((one) => one.isShown);
    for (const clusters of grouped(used, (one) => JSON.stringify([one.ownerId, one.group, one.kind]))) {
      const [first] = clusters;
      const use = sumOf(clusters.map((one) => one.use));
      const seriesKey = `${first.group}/${first.kind}`;
      take({
        of: first, seriesKey, name: first.kind, ownerId: first.ownerId,
        show: () => ({
          group: first.group, kind: first.kind, objects: countOf(clusters), clusters: clusters.length,
          usage: reading.usage(use),
        }),
      }, use, seriesKey);
    }
  },
};

export function contractsView(product: string): MonthView {
  return {
    product, view: 'contracts-usage-view', namedBy: { ownerId, contractId },
    read: async (scope, { database, until, deadline, usage, memory }, take) => {
      const columns = { ownerId, contractId, clusterUid };
      const all = await readUse<OwnedCluster & { readonly contractId: number }>(database, scope, { columns }, deadline);
      const used = all.filter((one) => one.isShown);
      const clusterOf = await readClusterNames(database, used, deadline);
      const contractOf = await readContractNames(database, used.map((one) => one.contractId), until, deadline);
      for (const clusters of grouped(used, (one) => `${one.ownerId} ${one.contractId}`)) {
        const [first] = clusters;
        const use = sumOf(clusters.map((one) => one.use));
        const { name, quota } = contractOf(first.contractId);
        take({
          of: first, seriesKey: first.contractId, name, ownerId: first.ownerId,
          show: () => ({
            contractID: first.contractId, contractName: name, ...(quota === undefined ? {} : { quota }),
            clusters: largestFirst(clusters, (one) => memory(one.use), (one) => one.clusterUid).map((one) => ({
              clusterUID: one.clusterUid, clusterName: clusterOf(one).name, usage: usage(one.use),
            })).toArray(),
            usage: usage(use),
          }),
        }, use, orderKey({ seriesKey: first.contractId }));
      }
    },
  };
}

function grouped<Row>(used: readonly Used<Row>[], key: (row: Used<Row>) => string): [Used<Row>, ...Used<Row>[]][] {
  return [...Map.groupBy(used, key).values()] as [Used<Row>, ...Used<Row>[]][];
}
