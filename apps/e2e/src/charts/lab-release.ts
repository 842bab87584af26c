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

/** The release `platform` of the chart of the platform in a lab without nodes. */
export interface LabRelease {
  /** Path of the namespace's core objects. */
  readonly core: string;
  /** Runs a command of helm, and its hooks. */
  run(command: string, ...args: readonly string[]): Promise<HookRun>;
  /** Installs or upgrades with values; fails when helm does. */
  apply(command: 'install' | 'upgrade', ...set: readonly string[]): Promise<void>;
  rollback(revision: number): Promise<void>;
  /** Marks claims as bound: they cannot grow before. */
  bind(): Promise<void>;
  sizeOf(claim: string): Promise<string>;
  /** The number of pods that the Deployment of a service asks for. */
  podsOf(service: string): Promise<number>;
  /** Does what `kubectl scale` does. */
  scale(service: string, replicas: number): Promise<void>;
  /** The versions of objects that an upgrade changes. */
  versions(): Promise<readonly string[]>;
}

interface Claim {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly resources: { readonly requests: Readonly<Record<string, string>> } };
}

/** @param namespace to create: the lab does not end claims, so a name is used once */
export async function openLabRelease({ api, kubeconfig, helm }: LabHelm, namespace: string): Promise<LabRelease> {
  await api.create('/api/v1/namespaces', { metadata: { name: namespace } });
  const core = `/api/v1/namespaces/${namespace}`;
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const list = async <Item>(path: string): Promise<readonly Item[]> => {
    return (await api.call('GET', path) as { items: readonly Item[] }).items;
  };
  const run = (command: string, ...args: readonly string[]): Promise<HookRun> => {
    const running = helm.release(kubeconfig, command, 'platform', '--namespace', namespace, ...args);
    return runHooks(api, kubeconfig, namespace, running);
  };
  const succeeds = async (running: Promise<HookRun>): Promise<void> => {
    const { written, error } = await running;
    if (error !== undefined) throw new Error([error, ...written].join('\n'));
  };
  return {
    core,
    run,
    apply: (command, ...set) => succeeds(run(command, chart, '--set', ['image.repository=x', ...set].join(','))),
    rollback: (revision) => succeeds(run('rollback', String(revision))),
    bind: async () => {
      for (const { metadata, spec } of await list<Claim>(`${core}/persistentvolumeclaims`)) {
        const path = `${core}/persistentvolumeclaims/${metadata.name}`;
        const status = { phase: 'Bound', capacity: spec.resources.requests };
        await api.call('PATCH', path, { spec: { volumeName: `${namespace}-${metadata.name}` } }, merge);
        await api.call('PATCH', `${path}/status`, { status }, merge);
      }
    },
    sizeOf: async (claim) => {
      const { spec } = await api.call('GET', `${core}/persistentvolumeclaims/${claim}`) as Claim;
      return spec.resources.requests['storage']!;
    },
    podsOf: async (service) => {
      const { spec } = await api.call('GET', `${deployments}/platform-${service}`) as { spec: { replicas: number } };
      return spec.replicas;
    },
    scale: async (service, replicas) => {
      await api.call('PATCH', `${deployments}/platform-${service}/scale?fieldManager=kubectl`, { spec: { replicas } }, merge);
    },
    versions: async () => {
      const paths = [deployments, `${core}/persistentvolumeclaims`, `${core}/configmaps`];
      const items = (await Promise.all(paths.map(list<Rendered & { metadata: { resourceVersion: string } }>))).flat();
      return items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`)
        .filter((text) => !text.startsWith('platform-check '));
    },
  };
}
