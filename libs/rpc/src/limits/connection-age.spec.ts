import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from '@jest/globals';
import { GetVersionResponse, VersionServiceService } from '@platform/proto/version/v1/version';
import { freePort, until } from '@platform/testing';
import { startDnsServer } from '../fixtures/dns-server.ts';
import { serveVersion } from '../fixtures/version-server.ts';
import { usualArrivingLimits } from './arriving.ts';

it('a client of another team finds pods that come later, and no call of it is cut', async () => {
  await using stack = new AsyncDisposableStack();
  const port = await freePort();
  const pods = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
  const serving: string[] = [];
  const serve = async (pod: string): Promise<void> => {
    const arrivingLimits = { ...usualArrivingLimits, connectionMs: 500 };
    stack.use(await serveVersion(() => pod, { listen: `${pod}:${port}`, arrivingLimits }));
    serving.push(pod);
  };
  await serve(pods[0]!);
  const dns = stack.use(await startDnsServer(() => serving));

  const program = join(import.meta.dirname, '../fixtures/other-team.mjs');
  const target = `dns://${dns.address}/orgs-teams.example:${port}`;
  const client = spawn(process.execPath, [program, target, VersionServiceService.getVersion.path, '0'], {
    env: { GRPC_NODE_USE_ALTERNATIVE_RESOLVER: 'true' }, stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(client, 'exit');
  stack.defer(async () => {
    client.stdin.end();
    await exited;
  });
  const counts = new Map<string, number>();
  createInterface(client.stdout).on('line', (line) => {
    const [, answer] = /^answer (.+)$/.exec(line) ?? [];
    const said = answer === undefined ? line : GetVersionResponse.decode(Buffer.from(answer, 'base64')).version;
    counts.set(said, (counts.get(said) ?? 0) + 1);
  });
  await until(() => (counts.get(pods[0]!) ?? 0) > 100, { what: 'the first pod answers' });
  expect([...counts.keys()]).toEqual([pods[0]]);

  for (const pod of pods.slice(1)) await serve(pod);
  await until(() => pods.every((pod) => (counts.get(pod) ?? 0) > 100), { what: 'all pods answer' });
  // The calls continue while many connections end.
  const before = new Map(counts);
  await until(() => pods.every((pod) => counts.get(pod)! > before.get(pod)! + 300), { what: 'calls go on' });
  client.stdin.end();
  expect(await exited).toEqual([0, null]);
  expect([...counts.keys()].toSorted()).toEqual(pods);
});
