import { Fault, notFound } from '@platform/faults';
import {
  applyObject, deleteObject, findObject, hasNamespace, managedClusterSetBindings, withoutConflict,
} from '@platform/kubernetes';
import type {
  BindNamespaceOptions, NamespaceBindingServiceService,
} from '@platform/proto/clusters/v1/namespace_binding';
import type { Handler } from '@platform/rpc';
import type { Deadline } from '@platform/service';
import { dnsLabelProblem, Violations } from '@platform/values';
import { readSet } from '../cluster-sets/sets.ts';
import type { Hub } from '../hubs/hubs.ts';
import type { Parts } from '../parts.ts';

/** POST /clusters/{owner}/{cluster}/bound-namespaces/bind (spec §4.12, open-points 12.4). */
export function bindNamespace({ hubs }: Parts): Handler<typeof NamespaceBindingServiceService.bindNamespace> {
  return async ({ options }, context) => {
    const { set, namespace } = named(options);
    const { deadline } = context;
    const hub = await hubs.of(context);
    await Promise.all([requireNamespace(hub, namespace, deadline), readSet(hub, set, deadline)]);
    await hub.confirm();
    const wanted = { metadata: { name: set, namespace }, spec: { clusterSet: set } };
    const binding = await withoutConflict(() =>
      applyObject(hub.connection, managedClusterSetBindings, wanted, deadline));
    // Delete the binding if the set no longer exists: a concurrent deletion of the set may have missed the binding.
    await readSet(hub, set, deadline).catch(async (error: unknown) => {
      if (!(error instanceof Fault) || error.reason !== 'NOT_FOUND') throw error;
      await withoutConflict(() => deleteObject(hub.connection, managedClusterSetBindings, binding, deadline));
      throw error;
    });
    return {};
  };
}

/** POST /clusters/{owner}/{cluster}/bound-namespaces/unbind (spec §4.12, open-points 12.4, 12.5). */
export function unbindNamespace({ hubs }: Parts): Handler<typeof NamespaceBindingServiceService.unbindNamespace> {
  return async ({ options }, context) => {
    const { set, namespace } = named(options);
    const { deadline } = context;
    const hub = await hubs.of(context);
    await hub.confirm();
    const removed = await withoutConflict(() => remove(hub, { name: set, namespace }, deadline));
    if (!removed) await Promise.all([requireNamespace(hub, namespace, deadline), readSet(hub, set, deadline)]);
    return {};
  };
}

async function remove({ connection }: Hub, key: { name: string; namespace: string }, deadline: Deadline) {
  const binding = await findObject(connection, managedClusterSetBindings, key, deadline);
  if (binding === undefined) return false;
  await deleteObject(connection, managedClusterSetBindings, binding, deadline);
  return true;
}

async function requireNamespace({ connection }: Hub, name: string, deadline: Deadline): Promise<void> {
  if (!(await hasNamespace(connection, name, deadline))) throw notFound('namespace not found');
}

/** @throws Fault VALIDATION_FAILED */
function named(options: BindNamespaceOptions | undefined): { readonly set: string; readonly namespace: string } {
  const { clusterSet: set = '', namespace = '' } = options ?? {};
  const violations = new Violations();
  violations.note('clusterSet', dnsLabelProblem(set));
  violations.note('namespace', dnsLabelProblem(namespace));
  violations.refuse();
  return { set, namespace };
}
