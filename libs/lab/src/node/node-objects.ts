import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Api } from '../api.ts';

/** Sets the endpoint of the Service `kubernetes`, through which pods reach the API server. */
export async function announceApiServer(api: Api, address: string, port: number): Promise<void> {
  const path = '/api/v1/namespaces/default/endpoints';
  const subsets = [{ addresses: [{ ip: address }], ports: [{ name: 'https', port, protocol: 'TCP' }] }];
  await api.create(path, { metadata: { name: 'kubernetes' }, subsets });
  await api.call('PATCH', `${path}/kubernetes`, { subsets }, 'application/merge-patch+json');
}

const storage = '/apis/storage.k8s.io/v1/storageclasses';

/**
 * Creates the default storage class, and volumes of this class. Each volume is a folder of this machine. A volume keeps
 * its data when its claim is deleted.
 */
export async function prepareVolumes(api: Api, node: string, folder: string, count: number): Promise<void> {
  await api.create(storage, {
    metadata: { name: 'local', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'kubernetes.io/no-provisioner',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  await Promise.all(Array.from({ length: count }, async (_, index) => {
    const path = join(folder, String(index));
    await mkdir(path, { recursive: true });
    const onNode = { key: 'kubernetes.io/hostname', operator: 'In', values: [node] };
    await api.create('/api/v1/persistentvolumes', {
      metadata: { name: `${node}-${index}` },
      spec: {
        capacity: { storage: '100Gi' },
        accessModes: ['ReadWriteOnce', 'ReadWriteMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'local',
        local: { path },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [onNode] }] } },
      },
    });
  }));
}

interface Node {
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

export async function isReady(api: Api, name: string): Promise<boolean> {
  const { items } = await api.call('GET', `/api/v1/nodes?fieldSelector=metadata.name%3D${name}`) as {
    items: readonly Node[];
  };
  return items[0]?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
}
