import { compare, print, printKinds, type Side } from './compare.ts';
import type { BenchSize } from './hop.ts';
import { launchPlatform } from './launched.ts';
import { start } from './processes.ts';
import { callerOf } from './site.ts';

const connections = 8;
/** Divides the number of requests, because a licence costs much more than an ordinary read. */
const requestsPerRead = 10;
const route = 'POST /license/issue';
const goals = { [route]: 4 } as const;

/**
 * Measures the issue of an online licence with the token of a user, end to end. Compares the CPU of the whole platform
 * with the CPU for one key, one certificate and one signature. Both use the same library.
 */
export async function benchLicences({ rounds, requests }: BenchSize): Promise<void> {
  await using platform = await launchPlatform();
  const { run, command, processes } = platform;
  const api = `${run.baseUrl}/api/v1`;
  const username = 'bench-licensee';
  const { id: uid } = await command<{ id: number }>(
    'admin', 'user', 'create', '--username', username, '--email', `${username}@example.org`);
  const { token } = await command<{ token: string }>('admin', 'token', 'create', '--user', username, '--name', 'bench');
  const admin = callerOf(api, run.admin.token);
  const end = Math.floor(Date.now() / 1000) + 86_400;
  const terms = { uid, name: 'Bench', products: ['productdb'], end };
  const [contract] = await admin<{ id: number }[]>('POST', '/contracts', terms);
  const cluster = '1b671a64-40d5-491e-99b0-da01ff1f3341';
  await admin('POST', `/contracts/${contract!.id}/clusters`, [{ cluster }]);
  const { license } = await callerOf(api, token)<{ license: string }>('POST', '/license/issue', { cluster });
  const signer = await start('licences/signer.ts', Buffer.from(license, 'base64').toString());

  const load = { requests: Math.ceil(requests / requestsPerRead), connections, expect: 200 };
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' };
  const asked = { method: 'POST', url: `${api}/license/issue`, headers, body: JSON.stringify({ cluster }) };
  const sides: Side[] = [
    {
      name: 'one key, one certificate, one signature',
      load: { ...load, next: () => ({ url: `http://127.0.0.1:${signer.port}/` }) },
      processes: () => [signer.pid],
    },
    {
      name: route,
      load: {
        ...load,
        next: () => asked,
        check: (_, body) => {
          if (!body.includes('"license":"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t')) throw new Error(`answered ${body}`);
        },
      },
      processes,
    },
  ];
  const measured = await compare(sides, rounds);
  print('A licence, end to end', measured, goals);
  printKinds(measured);
  signer.stop();
}
