import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheDirectory, goProgram } from '@platform/backing';
import { repositoryRoot } from '@platform/testing';
import { parseAllDocuments } from 'yaml';

const run = promisify(execFile);

/** The versions pinned in `tools/helm/go.mod` and `tools/helm3/go.mod`. */
const pins = {
  4: { version: '4.3.1', module: 'tools/helm/', path: 'helm.sh/helm/v4', variables: [] },
  3: {
    version: '3.19.5', module: 'tools/helm3/', path: 'helm.sh/helm/v3',
    // The Kubernetes version that helm renders for, as in its released binaries. The default would be 1.20.
    variables: ['pkg/chartutil', 'pkg/lint/rules'].flatMap((name) =>
      [`helm.sh/helm/v3/${name}.k8sVersionMajor=1`, `helm.sh/helm/v3/${name}.k8sVersionMinor=34`]),
  },
} as const;

type Major = keyof typeof pins;

/** Time limit of the first use, in which helm is built, once per user. */
export const buildMs = 60 * 60_000;

/** An object that a chart makes. */
export interface Rendered {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly data?: Readonly<Record<string, string>>;
  readonly rules?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** Commands of helm on one chart. Rejects with helm's error output. */
export interface Helm {
  lint(values: readonly string[]): Promise<string>;
  /** @param release its name; default `acme` */
  template(values: readonly string[], release?: string): Promise<readonly Rendered[]>;
  /** What `helm template` prints. */
  text(values: readonly string[], release?: string): Promise<string>;
  /** Runs a command on a release in a real cluster: `install`, `upgrade`, `uninstall`. */
  release(kubeconfig: string, ...args: readonly string[]): Promise<string>;
}

/**
 * A pinned helm.
 * @param folder for its caches
 * @param runMs time limit of a command
 * @param major major version; specs use only 4, because each version takes minutes to build
 * @throws BackingFault
 */
export async function openHelm(chart: string, folder: string, runMs = 60_000, major: Major = 4): Promise<Helm> {
  const file = await helmProgram(major);
  // Use nothing of the user's own helm: repositories, plugins, the current cluster.
  const environment = { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: '/nonexistent' };
  const helm = async (...args: readonly string[]) =>
    (await run(file, args, { env: environment, timeout: runMs, maxBuffer: 64 * 1024 * 1024 })).stdout;
  const files = (values: readonly string[]) => values.flatMap((path) => ['--values', path]);
  const text = (values: readonly string[], release = 'acme') =>
    helm('template', release, chart, '--namespace', 'charts', ...files(values));
  return {
    text,
    lint: (values) => helm('lint', '--strict', chart, ...files(values)),
    release: (kubeconfig, ...args) => helm(...args, '--kubeconfig', kubeconfig),
    // Helm reads YAML 1.1, in which `on` is a boolean and `0440` an octal number.
    template: async (values, release) =>
      parseAllDocuments(await text(values, release), { version: '1.1' }).flatMap((document) => {
        if (document.errors.length > 0) throw document.errors[0]!;
        const object = document.toJS() as Rendered | null;
        return object === null ? [] : [object];
      }),
  };
}

/** Path of a pinned helm, from the cache or built now. @throws BackingFault */
export async function helmProgram(major: Major = 4): Promise<string> {
  const { version, module, path, variables } = pins[major];
  const { file } = await goProgram({
    title: 'helm', executable: 'helm', version,
    module: join(repositoryRoot, module), sources: ['go.mod', 'go.sum'], package: `${path}/cmd/helm`,
    variables: [`${path}/internal/version.version=v${version}`, ...variables],
    otherwise: 'use a machine where Go can build it',
  }, defaultCacheDirectory(process.env), { environment: process.env, report: () => undefined });
  return file;
}
