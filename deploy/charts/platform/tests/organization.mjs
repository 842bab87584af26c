// `helm test`: makes an organization through the gateway, reads it back, and deletes it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const gateway = process.env.GATEWAY;
const name = `helm-test-${Date.now().toString(36)}`;
const { stdout } = await promisify(execFile)(process.execPath, [
  'apps/platform/src/main.ts', 'admin', 'token', 'create', '--user', process.env.ADMINISTRATOR, '--name', name,
  '--expires', '10m', '--json',
], { timeout: 60_000 });
const { token } = JSON.parse(stdout);

async function call(method, path, body) {
  const response = await fetch(`${gateway}/api/v1${path}`, {
    method,
    headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(30_000),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: status ${response.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

await call('POST', '/orgs', { username: name });
const organization = await call('GET', `/orgs/${name}`);
await call('DELETE', `/orgs/${name}`);
if (organization.username !== name) throw new Error(`read ${organization.username} in place of ${name}`);
console.log(`The organization ${name} was made, read and deleted through ${gateway}.`);
