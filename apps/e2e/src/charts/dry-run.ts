import { type Api, ApiFault } from '@platform/lab';
import type { Rendered } from './helm.ts';

export type DryRun = Awaited<ReturnType<typeof openDryRun>>;

/**
 * Asks a real API server whether it would accept objects, like `kubectl apply --dry-run=server`.
 * @param namespace to create; it enforces the Pod Security standard `restricted`
 */
export async function openDryRun(api: Api, namespace: string) {
  await api.create('/api/v1/namespaces', {
    metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });
  const plurals = new Map<string, Promise<ReadonlyMap<string, string>>>();

  async function pathOf({ apiVersion, kind }: Pick<Rendered, 'apiVersion' | 'kind'>): Promise<string> {
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const known = plurals.get(base) ?? readPlurals(api, base);
    plurals.set(base, known);
    const plural = (await known).get(kind);
    if (plural === undefined) throw new Error(`the API server knows no ${kind} of ${apiVersion}`);
    return `${base}/${plural.replace('{namespace}', namespace)}`;
  }

  async function problemOf(object: Pick<Rendered, 'apiVersion' | 'kind'>): Promise<readonly string[]> {
    try {
      await api.call('POST', `${await pathOf(object)}?dryRun=All&fieldValidation=Strict`, object);
      return [];
    } catch (error) {
      if (error instanceof ApiFault) return [error.message];
      throw error;
    }
  }

  return {
    /** Returns the server's errors for the objects that it refuses. Pods of workloads are checked too. */
    refused: async (objects: readonly Rendered[]) =>
      (await Promise.all(objects.flatMap((object) => [object, ...podOf(object)]).map(problemOf))).flat(),
  };
}

/** Rest of the path by kind: `namespaces/{namespace}/secrets`. */
async function readPlurals(api: Api, base: string): Promise<ReadonlyMap<string, string>> {
  const { resources } = await api.call('GET', base) as {
    resources: readonly { name: string; kind: string; namespaced: boolean }[];
  };
  return new Map(resources.filter(({ name }) => !name.includes('/')).map(({ name, kind, namespaced }) =>
    [kind, namespaced ? `namespaces/{namespace}/${name}` : name]));
}

/** The pod that a controller would make, because Pod Security applies to pods only. The lab has only one account. */
function podOf({ metadata, spec }: Rendered): object[] & Rendered[] {
  const { template } = (spec ?? {}) as { template?: { readonly metadata: object; readonly spec: object } };
  if (template?.spec === undefined) return [];
  return [{
    apiVersion: 'v1', kind: 'Pod',
    metadata: { ...template.metadata, ...metadata, name: `${metadata.name}-pod` },
    spec: { ...template.spec, serviceAccountName: 'default' },
  }] as Rendered[];
}
