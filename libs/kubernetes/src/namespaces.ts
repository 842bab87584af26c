import { CoreV1Api } from '@kubernetes/client-node';
import type { Deadline } from '@platform/service';
import type { ClusterConnection } from './connection.ts';
import { anyObject, type KubernetesObject } from './kinds.ts';
import { listFitting } from './objects.ts';
import { pathOfKind } from './paths.ts';
import { unlessMissing } from './translate-failure.ts';

export async function listNamespaces(cluster: ClusterConnection, deadline: Deadline): Promise<string[]> {
  const path = pathOfKind({ group: '', version: 'v1' }, 'namespaces');
  const all = await listFitting<KubernetesObject>(cluster, path, { kind: 'Namespace', fits: anyObject }, deadline);
  return all.map(({ metadata }) => metadata.name);
}

export async function hasNamespace(cluster: ClusterConnection, name: string, deadline: Deadline): Promise<boolean> {
  const found = await cluster.call(CoreV1Api, (core) => core.readNamespace({ name }), deadline).catch(unlessMissing);
  return found !== undefined;
}
