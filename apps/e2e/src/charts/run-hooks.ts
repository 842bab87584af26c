import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Api } from '@platform/lab';

const run = promisify(execFile);
const everyMs = 100;
const scriptMs = 90_000;

interface Job {
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly template: { readonly spec: PodSpec } };
  readonly status?: { readonly conditions?: readonly object[] };
}
interface PodSpec {
  readonly serviceAccountName: string;
  readonly containers: readonly [{
    readonly command: readonly string[];
    readonly env: readonly { readonly name: string; readonly value: string }[];
  }];
  readonly volumes: readonly { readonly configMap?: { readonly name: string } }[];
}
interface Kubeconfig {
  readonly clusters: readonly [{
    readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string };
  }];
}

/** What happened during a command of helm. */
export interface HookRun {
  /** What the scripts wrote, in their order. */
  readonly written: readonly string[];
  /** The error of helm; absent if the command succeeded. */
  readonly error?: string;
}

/**
 * Waits for a command of helm, and runs the scripts of its hooks meanwhile: the lab has no nodes, and no controller of
 * Jobs. A script has the rights of its account at the API server.
 */
export async function runHooks(
  api: Api, kubeconfig: string, namespace: string, command: Promise<unknown>,
): Promise<HookRun> {
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  const written: string[] = [];
  let isOver = false;
  const ended = command.then(() => ({}), ({ stderr }: { stderr: string }) => ({ error: stderr }))
    .finally(() => (isOver = true));
  const running = (async () => {
    while (!isOver) {
      const { items } = await api.call('GET', jobs) as { items: readonly Job[] };
      const job = items.find(({ metadata, status }) =>
        metadata.annotations?.['helm.sh/hook'] !== undefined && status?.conditions === undefined);
      if (job === undefined) await pause(everyMs);
      else written.push(await runJob(api, kubeconfig, namespace, job));
    }
  })();
  const [outcome] = await Promise.all([ended, running]);
  return { written, ...outcome };
}

async function runJob(api: Api, kubeconfig: string, namespace: string, job: Job): Promise<string> {
  const { serviceAccountName, containers: [{ command, env }], volumes } = job.spec.template.spec;
  const core = `/api/v1/namespaces/${namespace}`;
  const folder = await mkdtemp(join(tmpdir(), 'platform-hook-'));
  try {
    const name = volumes.find(({ configMap }) => configMap !== undefined)!.configMap!.name;
    const { data } = await api.call('GET', `${core}/configmaps/${name}`) as { data: Readonly<Record<string, string>> };
    const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 600 } };
    const token = await api.call('POST', `${core}/serviceaccounts/${serviceAccountName}/token`, asked);
    const { clusters: [{ cluster }] } = JSON.parse(await readFile(kubeconfig, 'utf8')) as Kubeconfig;
    const script = join(folder, basename(command.at(-1)!));
    await writeFile(script, data[basename(script)]!);
    await writeFile(join(folder, 'token'), (token as { status: { token: string } }).status.token);
    await writeFile(join(folder, 'ca.crt'), Buffer.from(cluster['certificate-authority-data'], 'base64'));
    const { hostname, port } = new URL(cluster.server);
    const environment = {
      ...Object.fromEntries(env.map((one) => [one.name, one.value])),
      KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port,
      TOKEN_FILE: join(folder, 'token'), NODE_EXTRA_CA_CERTS: join(folder, 'ca.crt'),
    };
    const { ended, text } = await run(process.execPath, [script], { env: environment, timeout: scriptMs }).then(
      ({ stdout }) => ({ ended: ['SuccessCriteriaMet', 'Complete'], text: stdout }),
      ({ stderr }: { stderr: string }) => ({ ended: ['FailureTarget', 'Failed'], text: stderr }),
    );
    const now = new Date().toISOString();
    const status = {
      startTime: now,
      ...(ended.includes('Complete') ? { completionTime: now, succeeded: 1 } : { failed: 1 }),
      conditions: ended.map((type) => ({ type, status: 'True', lastTransitionTime: now, lastProbeTime: now })),
    };
    const path = `/apis/batch/v1/namespaces/${namespace}/jobs/${job.metadata.name}/status`;
    await api.call('PATCH', path, { status }, 'application/merge-patch+json');
    return text;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
