// `helm test`: makes an organization through the gateway, reads it back, and deletes it.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request as http } from 'node:http';
import { request as https } from 'node:https';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { checkServerIdentity } from 'node:tls';
import { promisify } from 'node:util';

const gateway = new URL(process.env.GATEWAY);
const publicName = new URL(process.env.PUBLIC_URL).hostname;
const name = `helm-test-${Date.now().toString(36)}`;

/** Network plugins may permit the connections of a new pod only some time after its start. */
const permittedMs = 60_000;
const started = Date.now();
const { token } = JSON.parse(await permitted(createToken));
await permitted(() => call('GET', '/version'));

async function createToken() {
  const { stdout } = await promisify(execFile)(process.execPath, [
    'apps/platform/src/main.ts', 'admin', 'token', 'create', '--user', process.env.ADMINISTRATOR, '--name', name,
    '--expires', '10m', '--json',
  ], { timeout: 60_000 });
  return stdout;
}

/** Repeats `work` while the connection may not be permitted yet. An unused token expires after ten minutes. */
async function permitted(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const refused = /UNAVAILABLE|ECONNREFUSED|EHOSTUNREACH|ETIMEDOUT/.test(`${error.code} ${error.stderr}`);
      if (!refused || Date.now() > started + permittedMs) throw error;
      await pause(1_000);
    }
  }
}

async function call(method, path, body) {
  const sent = (gateway.protocol === 'https:' ? https : http)(new URL(`/api/v1${path}`, gateway), {
    method,
    headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(30_000),
    // The certificate has the public name, but this test connects to the name of the Service.
    servername: isIP(publicName) === 0 ? publicName : '',
    checkServerIdentity: (_, certificate) => checkServerIdentity(publicName, certificate),
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(sent, 'response');
  const answer = await text(response);
  if (response.statusCode >= 300) throw new Error(`${method} ${path}: status ${response.statusCode}: ${answer}`);
  return answer === '' ? undefined : JSON.parse(answer);
}

await call('POST', '/orgs', { username: name });
const organization = await call('GET', `/orgs/${name}`);
await call('DELETE', `/orgs/${name}`);
if (organization.username !== name) throw new Error(`read ${organization.username} in place of ${name}`);
console.log(`The organization ${name} was made, read and deleted through ${gateway.origin}.`);
