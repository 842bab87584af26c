import { spawn } from 'node:child_process';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { defaultCacheDirectory, goProgram } from '@platform/backing';
import type { LabNode } from '@platform/lab';
import { repositoryRoot, until } from '@platform/testing';
import { openAuthority } from '@platform/tls';

/** The version pinned in `tools/registry/go.mod`. */
const version = '3.1.2';
const readyMs = 30_000;
/** This port is free, because only the lab listens on the address of its virtual cable. */
const port = 5000;

/** A registry with HTTPS, which this machine and a node of the lab reach under the same name. */
export interface Registry extends AsyncDisposable {
  /** `10.99.0.1:5000`, as in the names of images. */
  readonly name: string;
  /** The certificate of its authority (PEM). */
  readonly authority: string;
}

/** Starts an empty registry and has the node trust it. Builds it on first use. @throws BackingFault */
export async function openRegistry({ host, registries }: LabNode, folder: string): Promise<Registry> {
  const { file } = await goProgram({
    title: 'the registry',
    executable: 'registry',
    version,
    module: join(repositoryRoot, 'tools/registry/'),
    sources: ['go.mod', 'go.sum', 'main.go'],
    package: '.',
    variables: [],
    otherwise: 'use a machine where Go can build it',
  }, defaultCacheDirectory(process.env), { environment: process.env, report: () => undefined });
  const authority = await openAuthority(join(folder, 'authority'));
  const { certificate, key } = await authority.issue({ role: 'service', name: 'registry', hosts: [host] });
  const name = `${host}:${port}`;
  await mkdir(join(registries, name));
  await writeFile(join(registries, name, 'hosts.toml'), [
    `server = "https://${name}"`, `[host."https://${name}"]`, '  capabilities = ["pull", "resolve"]',
    `  ca = "${authority.file}"`, '',
  ].join('\n'));
  const config = join(folder, 'config.json');
  // The registry reads YAML, and JSON is valid YAML.
  await writeFile(config, JSON.stringify({
    version: 0.1,
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'storage') } },
    http: { addr: name, tls: { certificate, key } },
  }));
  const logFile = join(folder, 'log');
  await using log = await open(logFile, 'a');
  const server = spawn(file, ['serve', config], {
    env: { OTEL_TRACES_EXPORTER: 'none' }, stdio: ['ignore', 'ignore', log.fd],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await ended;
  };
  try {
    await until(() => accepts(host), { within: readyMs, what: 'the registry listens' });
  } catch (error) {
    await stop();
    throw new Error(`the registry does not start: ${await readFile(logFile, 'utf8')}`, { cause: error });
  }
  return { name, authority: authority.file, [Symbol.asyncDispose]: stop };
}

function accepts(host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
