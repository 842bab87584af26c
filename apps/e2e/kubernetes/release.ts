import { randomUUID } from 'node:crypto';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Api, ApiFault, type LabNode, nodePath } from '@platform/lab';
import { until } from '@platform/testing';

const run = promisify(execFile);
const commandMs = 120_000;

export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly uid: string;
    /** Set while the pod stops. */
    readonly deletionTimestamp?: string;
  };
  readonly status: { readonly phase: string; readonly podIP?: string };
}

interface Deployment {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly spec: { readonly replicas: number };
  readonly status: {
    readonly observedGeneration?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
    readonly replicas?: number;
  };
}

/** A release of the chart in a namespace. */
export interface Release {
  readonly namespace: string;
  pods(): Promise<readonly Pod[]>;
  /** Waits until all pods of the Deployments and StatefulSets are ready and no pod of an earlier version remains. */
  rolledOut(within: number): Promise<void>;
  /** Runs the operator's command line in a pod; returns its output. */
  command(...args: readonly string[]): Promise<string>;
  /** Decoded value of a Secret. */
  secret(name: string, key: string): Promise<string>;
}

export const component = ({ metadata }: Pod): string => metadata.labels['app.kubernetes.io/component']!;

/** @param image of the command line */
export function releaseIn(api: Api, namespace: string, image: string): Release {
  const core = `/api/v1/namespaces/${namespace}`;
  const apps = `/apis/apps/v1/namespaces/${namespace}`;
  const selector = 'labelSelector=app.kubernetes.io%2Finstance%3Dplatform';
  const list = async <Item>(path: string): Promise<readonly Item[]> => {
    return (await api.call('GET', `${path}?${selector}`) as { items: readonly Item[] }).items;
  };
  const isThere = ({ metadata, spec, status }: Deployment): boolean => {
    const { observedGeneration = 0, updatedReplicas = 0, availableReplicas = 0, replicas = 0 } = status;
    return observedGeneration >= metadata.generation
      && updatedReplicas === spec.replicas && availableReplicas === spec.replicas && replicas === spec.replicas;
  };
  return {
    namespace,
    pods: () => list(`${core}/pods`),
    rolledOut: async (within) => {
      await until(async () => {
        const both = await Promise.all(['deployments', 'statefulsets'].map((kind) => list<Deployment>(`${apps}/${kind}`)));
        const stopping = (await list<Pod>(`${core}/pods`)).some(({ metadata }) => metadata.deletionTimestamp !== undefined);
        return !stopping && both.flat().every(isThere);
      }, { within, every: 1_000, what: 'everything is rolled out' });
    },
    secret: async (name, key) => {
      const { data } = await api.call('GET', `${core}/secrets/${name}`) as { data: Readonly<Record<string, string>> };
      return Buffer.from(data[key]!, 'base64').toString();
    },
    command: async (...args) => {
      const path = `${core}/pods`;
      const name = `command-${randomUUID().slice(0, 8)}`;
      await api.call('POST', path, commandPod(name, image, args));
      try {
        const phase = await until(async () => {
          const { status } = await api.call('GET', `${path}/${name}`) as Pod;
          return /Succeeded|Failed/.exec(status.phase)?.[0];
        }, { within: commandMs, what: `${args.join(' ')} is done` });
        const said = await api.call('GET', `${path}/${name}/log`);
        const text = typeof said === 'string' ? said : JSON.stringify(said);
        if (phase === 'Failed') throw new Error(`${args.join(' ')}: ${text}`);
        return text;
      } finally {
        await api.call('DELETE', `${path}/${name}`);
      }
    },
  };
}

/** The pod of a command, like that of `helm test` (docs/kubernetes.md). */
function commandPod(name: string, image: string, args: readonly string[]): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      labels: {
        'app.kubernetes.io/name': 'platform',
        'app.kubernetes.io/instance': 'platform',
        'app.kubernetes.io/component': 'cli',
      },
    },
    spec: {
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, fsGroup: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [{
        name: 'command',
        image,
        args,
        env: [
          { name: 'PLATFORM_CONFIG_FILE', value: '/run/platform/made/platform.yaml' },
          { name: 'PLATFORM_SERVER', value: 'platform-orgs-teams:8081' },
        ],
        securityContext: {
          allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [
          { name: 'made', mountPath: '/run/platform/made', readOnly: true },
          { name: 'home', mountPath: '/var/lib/platform' }, { name: 'tmp', mountPath: '/tmp' },
        ],
      }],
      volumes: [
        { name: 'made', secret: { secretName: 'platform-cli', defaultMode: 0o440 } },
        { name: 'home', emptyDir: {} }, { name: 'tmp', emptyDir: {} },
      ],
    },
  };
}

/** Ends a pod with a grace period of 1 s. With 0 s, its successor could start before the pod has ended. */
export async function killPod(api: Api, namespace: string, { metadata }: Pod): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods/${metadata.name}`;
  await api.call('DELETE', path, { gracePeriodSeconds: 1 });
  await until(async () => {
    try {
      return (await api.call('GET', path) as Pod).metadata.uid !== metadata.uid;
    } catch (error) {
      if (error instanceof ApiFault && error.status === 404) return true;
      throw error;
    }
  }, { within: 60_000, what: `${metadata.name} is gone` });
}

/** Imports an archive of images into a node. */
export async function importImages({ pid }: LabNode, archive: string): Promise<void> {
  await run('nsenter', [
    '--target', String(pid), '--net', '--mount', '--pid', '--',
    'ctr', '--namespace', 'k8s.io', 'images', 'import', archive,
  ], { timeout: 10 * 60_000, env: { PATH: nodePath }, maxBuffer: 16 * 1024 * 1024 });
}
