import { execFile } from 'node:child_process';
import { access, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder of one cluster: its authority, certificates, keys and kubeconfig. */
export interface ClusterFolder {
  readonly name: string;
  readonly folder: string;
  /** Path of a kubeconfig with the rights of cluster-admin. */
  readonly kubeconfig: string;
  file(name: string): string;
}

const pkiMs = 10_000;

/** Creates certificates and kubeconfig if the kubeconfig is missing. An existing kubeconfig keeps its port. */
export async function openClusterFolder(
  binary: string, home: string, name: string, port: number,
): Promise<ClusterFolder> {
  const folder = join(home, name);
  const cluster: ClusterFolder = {
    name, folder, kubeconfig: join(folder, 'kubeconfig'), file: (file) => join(folder, file),
  };
  if (await access(cluster.kubeconfig).then(() => true, () => false)) return cluster;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await run(binary, ['pki', folder], { timeout: pkiMs });
  const files = ['ca.crt', 'admin.crt', 'admin.key'];
  const [ca, certificate, key] = await Promise.all(files.map((file) => read(cluster, file)));
  const config = kubeconfig(name, port, ca!, { 'client-certificate-data': certificate!, 'client-key-data': key! });
  await writeSecret(cluster.kubeconfig, config);
  return cluster;
}

async function read(cluster: ClusterFolder, file: string): Promise<string> {
  return (await readFile(cluster.file(file))).toString('base64');
}

/** Returns a kubeconfig for one user. The text is JSON, which is valid YAML. */
export function kubeconfig(name: string, port: number, ca: string, user: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': ca } }],
    users: [{ name: 'user', user }],
    contexts: [{ name, context: { cluster: name, user: 'user' } }],
    'current-context': name,
  }, undefined, 2);
}

export async function writeSecret(file: string, text: string): Promise<void> {
  await writeFile(file, `${text}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
}
