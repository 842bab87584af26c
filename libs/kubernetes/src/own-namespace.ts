import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterConnection, openCluster } from './connection.ts';
import { parseKubeconfig } from './kubeconfig.ts';

/** Directory in which Kubernetes puts the credentials of a pod. */
const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The namespace of the pod that this process runs in, and a connection to its cluster. */
export interface OwnNamespace extends AsyncDisposable {
  readonly cluster: ClusterConnection;
  readonly namespace: string;
}

/**
 * Connects to the cluster in which this process runs, with the rights of the pod's service account. Returns undefined
 * outside of a pod.
 * @throws Error if files of the service account are missing or invalid
 */
export async function openOwnNamespace(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<OwnNamespace | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment;
  if (host === undefined || port === undefined) return undefined;
  const read = async (name: string) => (await readFile(join(serviceAccount, name), 'utf8')).trim();
  const [token, authority, namespace] = await Promise.all(['token', 'ca.crt', 'namespace'].map(read));
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const cluster = openCluster(parseKubeconfig(JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{
      name: 'own', cluster: { server, 'certificate-authority-data': Buffer.from(authority!).toString('base64') },
    }],
    users: [{ name: 'own', user: { token } }],
    contexts: [{ name: 'own', context: { cluster: 'own', user: 'own' } }],
    'current-context': 'own',
  })));
  return { cluster, namespace: namespace!, [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose]() };
}
