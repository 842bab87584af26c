import { CoreV1Api } from '@kubernetes/client-node';
import type { Deadline } from '@platform/service';
import type { ClusterConnection } from './connection.ts';
import { type ObjectPage, readAllPages } from './pages.ts';
import { unlessMissing } from './translate-failure.ts';

/** The names of all namespaces. */
export async function listNamespaces(cluster: ClusterConnection, deadline: Deadline): Promise<string[]> {
  type Named = { readonly metadata?: { readonly name?: string } };
  const all = await readAllPages<Named>((page) =>
    cluster.call(CoreV1Api, (core) => core.listNamespace(page), deadline) as Promise<ObjectPage<Named>>);
  return all.map(({ metadata }) => metadata?.name ?? '');
}

export async function hasNamespace(cluster: ClusterConnection, name: string, deadline: Deadline): Promise<boolean> {
  const found = await cluster.call(CoreV1Api, (core) => core.readNamespace({ name }), deadline).catch(unlessMissing);
  return found !== undefined;
}
