import { createPrivateKey } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { testLab } from '@platform/testing';
import { openAuthority } from '@platform/tls';
import type { HubWorld } from './hub-world.ts';

/**
 * A kubeconfig of the hub with a client certificate that expires after this many milliseconds.
 * @param role of its user, a ClusterRole
 */
export async function expiringKubeconfig(
  { api, hubKubeconfig, prefix }: HubWorld, validMs: number, role = 'cluster-admin',
): Promise<string> {
  const name = `${prefix}-expiring-${role.replaceAll(':', '-')}`;
  await api.create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding', metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
  });
  const ofHub = dirname((await testLab()).hub.kubeconfig);
  const folder = await mkdtemp(join(tmpdir(), 'platform-authority-'));
  try {
    await copyFile(join(ofHub, 'ca.crt'), join(folder, 'ca.pem'));
    const key = createPrivateKey(await readFile(join(ofHub, 'ca.key')));
    await writeFile(join(folder, 'ca.key'), key.export({ type: 'pkcs8', format: 'pem' }));
    const issued = await (await openAuthority(folder, validMs)).issue({ role: 'service', name, hosts: [] });
    const base64 = async (file: string) => (await readFile(file)).toString('base64');
    const config = JSON.parse(hubKubeconfig) as { users: [{ user: Record<string, string> }] };
    config.users[0].user = {
      'client-certificate-data': await base64(issued.certificate), 'client-key-data': await base64(issued.key),
    };
    return JSON.stringify(config);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
