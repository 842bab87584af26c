import type { Api } from '@platform/lab';
import { chart } from './chart-files.ts';
import type { Helm, Rendered } from './helm.ts';
import { type HookRun, runHooks } from './run-hooks.ts';

export const merge = 'application/merge-patch+json';

export interface LabHelm {
  readonly api: Api;
  readonly kubeconfig: string;
  readonly helm: Helm;
}

interface Claim extends Pick<Rendered, 'metadata'> {
  readonly spec: { readonly resources: { readonly requests: Readonly<Record<string, string>> } };
}

/**
 * The release `platform` of the chart of the platform in a lab without nodes.
 * @param namespace to create; use each name only once, because the lab does not delete volume claims
 */
export async function openLabRelease({ api, kubeconfig, helm }: LabHelm, namespace: string) {
  await api.create('/api/v1/namespaces', { metadata: { name: namespace } });
  /** Path of the namespace's core objects. */
  const core = `/api/v1/namespaces/${namespace}`;
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const list = async <Item>(path: string) => (await api.call('GET', path) as { items: readonly Item[] }).items;
  /** Runs a command of helm, and its hooks. */
  const run = (command: string, ...args: readonly string[]) => runHooks(
    api, kubeconfig, namespace, helm.release(kubeconfig, command, 'platform', '--namespace', namespace, ...args),
  );
  const succeeds = async (running: Promise<HookRun>) => {
    const { written, error } = await running;
    if (error !== undefined) throw new Error([error, ...written].join('\n'));
  };
  return {
    core, run,
    /** Installs or upgrades with values; fails when helm does. */
    apply: (command: 'install' | 'upgrade', ...set: readonly string[]) =>
      succeeds(run(command, chart, '--set', ['image.repository=x', ...set].join(','))),
    rollback: (revision: number) => succeeds(run('rollback', String(revision))),
    /** Marks volume claims as bound, because unbound claims cannot grow. */
    bind: async () => {
      for (const { metadata, spec } of await list<Claim>(`${core}/persistentvolumeclaims`)) {
        const path = `${core}/persistentvolumeclaims/${metadata.name}`;
        const status = { phase: 'Bound', capacity: spec.resources.requests };
        await api.call('PATCH', path, { spec: { volumeName: `${namespace}-${metadata.name}` } }, merge);
        await api.call('PATCH', `${path}/status`, { status }, merge);
      }
    },
    sizeOf: async (claim: string) => {
      const { spec } = await api.call('GET', `${core}/persistentvolumeclaims/${claim}`) as Claim;
      return spec.resources.requests['storage']!;
    },
    /** The number of pods that the Deployment of a service asks for. */
    podsOf: async (service: string) => {
      const { spec } = await api.call('GET', `${deployments}/platform-${service}`) as { spec: { replicas: number } };
      return spec.replicas;
    },
    /** Does what `kubectl scale` does. */
    scale: async (service: string, replicas: number) => {
      const path = `${deployments}/platform-${service}/scale?fieldManager=kubectl`;
      await api.call('PATCH', path, { spec: { replicas } }, merge);
    },
    /** The versions of objects that an upgrade changes. */
    versions: async () => {
      const paths = [deployments, `${core}/persistentvolumeclaims`, `${core}/configmaps`];
      const items = (await Promise.all(paths.map(list<Rendered & { metadata: { resourceVersion: string } }>))).flat();
      return items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`)
        .filter((text) => !text.startsWith('platform-check '));
    },
  };
}
