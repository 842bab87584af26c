import {
  ApiException, ApiextensionsV1Api, CustomObjectsApi, loadYaml, type V1CustomResourceDefinition,
  type V1CustomResourceDefinitionSpec,
} from '@kubernetes/client-node';
import { Fault } from '@platform/faults';
import { type Deadline, pause, remaining } from '@platform/service';
import type { ClusterConnection } from './connection.ts';
import { fieldManager } from './objects.ts';
import { unexpected, unlessMissing } from './translate-failure.ts';

const pollMs = 100;

/**
 * Installs the CustomResourceDefinitions that the cluster does not have yet. Returns when the cluster serves the kinds
 * of all definitions.
 * @param documents YAML documents; each contains one definition
 */
export async function installDefinitions(
  cluster: ClusterConnection, documents: readonly string[], deadline: Deadline,
): Promise<void> {
  await Promise.all(documents.map(async (document) => {
    const body = loadYaml<V1CustomResourceDefinition>(document);
    const name = body.metadata!.name!;
    const known = await cluster.call(ApiextensionsV1Api, (api) => api.readCustomResourceDefinition({ name }), deadline)
      .catch(unlessMissing);
    if (known === undefined) {
      await cluster.call(ApiextensionsV1Api, (api) =>
        api.createCustomResourceDefinition({ body, fieldManager }), deadline).catch(unlessCreatedMeanwhile);
    }
    await untilServed(cluster, body.spec, deadline);
  }));
}

/** Waits until the cluster serves a kind. Just after the definition is created, the cluster may answer 404 or 429. */
async function untilServed(
  cluster: ClusterConnection, { group, names, versions }: V1CustomResourceDefinitionSpec, deadline: Deadline,
): Promise<void> {
  const kind = { group, version: versions[0]!.name, plural: names.plural, limit: 1 };
  for (;;) {
    try {
      await cluster.call(CustomObjectsApi, (api) => api.listClusterCustomObject(kind), deadline);
      return;
    } catch (error) {
      if (!isNotYetServed(error) || remaining(deadline) < pollMs) throw unexpected(error);
    }
    await pause(pollMs, deadline.signal);
  }
}

function isNotYetServed(error: unknown): boolean {
  return error instanceof ApiException ? error.code === 404 : error instanceof Fault && error.reason === 'UNAVAILABLE';
}

function unlessCreatedMeanwhile(error: unknown): undefined {
  if (error instanceof ApiException && error.code === 409) return undefined;
  if (!(error instanceof ApiException)) throw error;
  throw new Fault('BAD_UPSTREAM', `the cluster refused a CustomResourceDefinition: status ${error.code}`);
}
