// Creates the agent's kubeconfig from the token of its service account, and copies the licence to a place where the
// agent can renew it.
import { readFile, writeFile } from 'node:fs/promises';

const [token, authority] = await Promise.all(['token', 'ca.crt'].map((name) => readFile(`/run/agent/token/${name}`)));
const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = process.env;
const cluster = {
  'server': `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
  'certificate-authority-data': authority.toString('base64'),
};
await writeFile('/run/agent/made/kubeconfig', JSON.stringify({
  'apiVersion': 'v1',
  'kind': 'Config',
  'clusters': [{ name: 'own', cluster }],
  'users': [{ name: 'own', user: { token: token.toString('utf8').trim() } }],
  'contexts': [{ name: 'own', context: { cluster: 'own', user: 'own' } }],
  'current-context': 'own',
}), { mode: 0o600 });

// A renewed licence is kept until the Secret contains another licence.
const home = '/var/lib/platform';
const given = await readFile('/run/agent/given/license.pem', 'utf8');
const before = await readFile(`${home}/license.given.pem`, 'utf8').catch(() => undefined);
if (before !== given) {
  await writeFile(`${home}/license.pem`, given, { mode: 0o600 });
  await writeFile(`${home}/license.given.pem`, given, { mode: 0o600 });
}
