import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Api } from '@platform/lab';
import { repositoryRoot, until } from '@platform/testing';
import { parse } from 'yaml';

const run = promisify(execFile);
const pins = join(repositoryRoot, 'tools/definitions');
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const fetchMs = 5 * 60_000;

/** The definitions of all optional kinds that the chart uses, each in a module of `tools/definitions/go.mod`. */
const files: Readonly<Record<string, readonly string[]>> = {
  'github.com/cert-manager/cert-manager': ['deploy/crds/cert-manager.io_certificates.yaml'],
  'github.com/prometheus-operator/prometheus-operator': [
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
  ],
  'sigs.k8s.io/gateway-api': ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
};

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

/** Installs definitions in an API server until it is disposed. */
export async function installDefinitions(api: Api): Promise<AsyncDisposable> {
  const folders = await fetchModules();
  const paths = Object.entries(files)
    .flatMap(([module, names]) => names.map((name) => join(folders.get(module)!, name)));
  const definitions = await Promise.all(paths.map(async (file) => parse(await readFile(file, 'utf8')) as Definition));
  await Promise.all(definitions.map(async (definition) => {
    await api.create(path, definition);
    const { group, names, versions } = definition.spec;
    await Promise.all(versions.filter(({ served }) => served).map(({ name }) =>
      until(() => api.call('GET', `/apis/${group}/${name}/${names.plural}`), { what: `${names.plural} are served` })));
  }));
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(definitions.map(({ metadata }) => api.call('DELETE', `${path}/${metadata.name}`)));
    },
  };
}

/** The folder in Go's cache, by module. Missing modules are fetched and checked against go.sum. */
async function fetchModules(): Promise<ReadonlyMap<string, string>> {
  const required = (await readFile(join(pins, 'go.mod'), 'utf8')).matchAll(/^\t(\S+) (v\S+)$/gm);
  const modules = [...required].map(([, module, version]) => `${module}@${version}`);
  const { stdout } = await run('go', ['mod', 'download', '-json', ...modules], {
    cwd: pins, timeout: fetchMs, env: { ...process.env, GOFLAGS: '-mod=readonly', GOWORK: 'off' },
  });
  const found = stdout.split(/^(?=\{)/m).map((text) => JSON.parse(text) as { Path: string; Dir: string });
  return new Map(found.map(({ Path, Dir }) => [Path, Dir]));
}
