import { listNamespaces, listObjects, managedClusterSetBindings } from '@platform/kubernetes';
import type { NamespaceBindingServiceService } from '@platform/proto/clusters/v1/namespace_binding';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';

/** GET /clusters/{owner}/{cluster}/bound-namespaces (spec §4.12, open-points 12.4). */
export function listBoundNamespaces(
  { hubs }: Parts,
): Handler<typeof NamespaceBindingServiceService.listBoundNamespaces> {
  return async (_, context) => {
    const { connection } = await hubs.of(context);
    const [namespaces, bindings] = await Promise.all([
      listNamespaces(connection, context.deadline),
      listObjects(connection, managedClusterSetBindings, context.deadline),
    ]);
    const bound = new Map(namespaces.sort().map((name) => [name, new Set<string>()]));
    for (const { metadata, spec } of bindings) {
      if (spec?.clusterSet !== undefined) bound.get(metadata.namespace!)?.add(spec.clusterSet);
    }
    return {
      namespaces: Object.fromEntries([...bound].map(([name, sets]) => [name, { clusterSets: [...sets].sort() }])),
    };
  };
}
