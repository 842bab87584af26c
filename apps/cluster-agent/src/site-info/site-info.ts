import type { Member } from '@platform/bus';
import {
  type ClusterConnection, type KubernetesObject, readResource, type Resource, type ServingCertificate,
} from '@platform/kubernetes';
import { type Deadline, platformVersion } from '@platform/service';
import { binaryQuantity, decimalQuantity, parseQuantity } from '@platform/values';

/** The `resourceID` in the events that report a SiteInfo (open-points 8.2). */
export const siteInfos: Resource = { group: '', version: 'v1', name: 'siteinfos', kind: 'SiteInfo', scope: 'Cluster' };

const nodes: Resource = { group: '', version: 'v1', name: 'nodes', kind: 'Node', scope: 'Cluster' };
const storageClasses: Resource = {
  group: 'storage.k8s.io', version: 'v1', name: 'storageclasses', kind: 'StorageClass', scope: 'Cluster',
};

/** @throws as {@link ClusterConnection.get} */
export async function readSiteInfo(
  cluster: ClusterConnection, certificate: ServingCertificate,
  { licenceId, ownerName, ownerId, productName, clusterUid, mode }:
  Member & { licenceId: string; ownerName: string; mode: string | undefined }, deadline: Deadline,
): Promise<object> {
  const [{ body: version }, { objects: all }, { objects: classes }] = await Promise.all([
    cluster.get('/version', {}, deadline),
    readResource(cluster, nodes, readNode, deadline),
    readResource(cluster, storageClasses, (object) => (object as { provisioner?: string }).provisioner ?? '', deadline),
  ]);
  const controlPlane = all.filter((node) => node.isControlPlane);
  const workers = all.filter((node) => !node.isControlPlane);
  return {
    kind: 'SiteInfo',
    metadata: { name: `${licenceId}.${productName}` },
    product: {
      version: { version: platformVersion },
      licenseID: licenceId, productOwnerName: ownerName, productOwnerUID: String(ownerId), productName, productUID: '',
    },
    kubernetes: {
      cluster: { uid: clusterUid, ...(mode !== undefined && { mode }) },
      version, controlPlane: certificate,
      nodeStats: {
        ...statsOf(all),
        ...(controlPlane.length > 0 && { controlPlane: statsOf(controlPlane), workers: statsOf(workers) }),
      },
      storageProvisioners: [...new Set(classes)].filter((name) => name !== '').sort(),
    },
  };
}

interface Node {
  readonly isControlPlane: boolean;
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
}

function readNode(object: KubernetesObject): Node {
  const { status } = object as { status?: Partial<Node> };
  return {
    isControlPlane: object.metadata.labels?.['node-role.kubernetes.io/control-plane'] !== undefined,
    capacity: status?.capacity ?? {}, allocatable: status?.allocatable ?? {},
  };
}

function statsOf(all: readonly Node[]): object {
  return { count: all.length, capacity: sumOf(all, 'capacity'), allocatable: sumOf(all, 'allocatable') };
}

function sumOf(all: readonly Node[], which: 'capacity' | 'allocatable'): object {
  const sum = (resource: string) =>
    all.reduce((total, node) => total + (parseQuantity(node[which][resource] ?? '0') ?? 0n), 0n);
  return { cpu: decimalQuantity(sum('cpu')), memory: binaryQuantity(sum('memory')) };
}
