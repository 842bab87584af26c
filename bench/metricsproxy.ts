import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNginx, freePort, until } from '@platform/testing';
import { compare, print, printKinds, type Side } from './compare.ts';
import { descendantsOf, kindOf } from './cpu.ts';
import type { BenchSize } from './hop.ts';
import { type Launched, launchPlatform } from './launched.ts';
import { callerOf } from './site.ts';

const connections = 32;
const query = 'api/v1/query?query=up';
const answerBytes = 100 * 1024 * 1024;
const mebibyte = 1024 * 1024;
/** An answer of 100 MiB must add fewer MiB than this to the resident memory of a process. */
const mostMemory = 32;
const answers = 20;

/**
 * Measures the CPU of an instant query to a real Prometheus over the data path. Compares it with the same query through
 * an nginx whose `auth_request` goes to a static 200. The CPU of Prometheus is included. Then measures the memory for
 * answers of 100 MiB. Measures nothing if there is no nginx.
 * @throws Error if the memory reaches the limit
 */
export async function benchMetricsProxy({ rounds, requests }: BenchSize): Promise<void> {
  const startNginx = await findNginx();
  if (startNginx === undefined) return console.log('metricsproxy: not measured, because there is no nginx');
  // Answers the registration like a Grafana in which all objects exist.
  const dashboard = createServer((_, response) => response.end('{"id":1}'));
  const large = createServer((_, response) => sendLarge(response));
  await using prometheus = await startPrometheus();
  await using platform = await launchPlatform({
    PLATFORM_FLAVORA_URL: await listening(dashboard),
    PLATFORM_METRICSPROXY_ALLOWED_CIDRS: '127.0.0.0/8',
    // The heap size in a container of 512 MiB (docs/scale.md). With a larger heap, V8 collects garbage later.
    NODE_OPTIONS: '--max-heap-size=259 --max-semi-space-size=8',
  });
  const queried = await registered(platform, prometheus.url, 1);
  const streamed = await registered(platform, await listening(large), 2);
  await using nginx = await startNginx(`
    location / {
      auth_request /auth;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_pass http://backend;
    }
    location = /auth { internal; return 200; }`, `upstream backend { server ${new URL(prometheus.url).host}; keepalive 32; }`);

  const load = { requests, connections, expect: 200 };
  const check = (_: number, body: string) => {
    if (!body.includes('"status":"success"')) throw new Error(`answered ${body}`);
  };
  const headers = { authorization: `Bearer ${queried.token}` };
  const side = (name: string, baseUrl: string): Side => ({
    name,
    load: { ...load, check, next: () => ({ url: `${baseUrl}/${queried.identity}/${query}`, headers }) },
    processes: () => [...platform.processes(), prometheus.pid],
  });
  const [service, gateway] = ['metricsproxy', 'gateway and metricsproxy'];
  const measured = await compare([
    {
      name: 'nginx with auth_request', processes: () => [nginx.pid, prometheus.pid],
      load: { ...load, check, next: () => ({ url: `${nginx.url}/${query}` }) },
    },
    side(service, `http://${proxyAddressOf(platform)}/metrics-proxy`),
    side(gateway, `${platform.run.baseUrl}/metrics-proxy`),
  ], rounds);
  print('An instant query of metrics (goals: CPU ≤ 2, p50 ≤ 1.3 of nginx)', measured, { [service]: 2 });
  printKinds(measured);
  await measureMemory(platform, `${platform.run.baseUrl}/metrics-proxy/${streamed.identity}/federate`, streamed.token);
  for (const server of [dashboard, large]) server.close();
}

/** Imports a cluster for a new user, and registers this metrics backend for the cluster. */
async function registered({ run, command }: Launched, url: string, number: number) {
  const username = `bench-metrics-${number}`;
  const { id } = await command<{ id: number }>(
    'admin', 'user', 'create', '--username', username, '--email', `${username}@example.org`);
  const { token } = await command<{ token: string }>('admin', 'token', 'create', '--user', username, '--name', 'bench');
  const uid = `1b671a64-40d5-491e-99b0-da01ff1f334${number}`;
  await command('admin', 'cluster', 'import', '--owner', username, '--name', 'bench', '--uid', uid);
  const call = callerOf(`${run.baseUrl}/api/v1`, token);
  const json = { backend: { url }, clusterUID: uid, issueToken: true };
  const { flavora } = await call<{ flavora: { bearerToken: string } }>('POST', '/metricsproxy/register', json);
  return { identity: `${id}.${uid}`, token: flavora.bearerToken };
}

/** Reads the address of the data path from the environment of the gateway. */
function proxyAddressOf({ processes }: Launched): string {
  const gateway = descendantsOf(processes()).find((pid) => kindOf(pid) === 'gateway');
  return /PLATFORM_METRICSPROXY_ADDRESSES=([^\0]+)/.exec(readFileSync(`/proc/${gateway}/environ`, 'utf8'))![1]!;
}

/**
 * Prints how much the resident memory of gateway and metricsproxy grows during answers.
 * @throws Error if it grows too much, or an answer does not have the expected length
 */
async function measureMemory({ processes }: Launched, url: string, token: string): Promise<void> {
  const way = descendantsOf(processes()).filter((pid) => ['gateway', 'metricsproxy'].includes(kindOf(pid)));
  const grown = new Map(way.map((pid) => [pid, [] as number[]]));
  for (let time = 0; time < answers; time += 1) {
    const before = new Map(way.map((pid) => [pid, residentOf(pid)]));
    const most = new Map(before);
    const sampling = setInterval(() => {
      for (const pid of way) most.set(pid, Math.max(most.get(pid)!, residentOf(pid)));
    }, 10);
    const received = await bytesOf(url, token, time % 2 === 0);
    clearInterval(sampling);
    if (received !== answerBytes) throw new Error(`received ${received} bytes instead of ${answerBytes}`);
    for (const pid of way) grown.get(pid)!.push((most.get(pid)! - before.get(pid)!) / mebibyte);
  }
  console.log(`\nMiB of resident memory that an answer of ${answerBytes / mebibyte} MiB adds (must be < ${mostMemory})\n`);
  for (const [pid, mebibytes] of grown) {
    const [first, sorted] = [mebibytes[0]!, mebibytes.toSorted((a, b) => a - b)];
    const [median, largest] = [sorted[Math.floor(answers / 2)]!, sorted.at(-1)!];
    console.log(`- ${kindOf(pid)}: first ${first.toFixed(1)}, median ${median.toFixed(1)}, most ${largest.toFixed(1)}`);
  }
  if ([...grown.values()].flat().some((mebibytes) => mebibytes >= mostMemory)) {
    throw new Error(`an answer adds ${mostMemory} MiB of resident memory or more`);
  }
}

function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
}

/** Reads an answer and returns its length. If `isSlow`, pauses for half a second in the middle. */
async function bytesOf(url: string, token: string, isSlow: boolean): Promise<number> {
  const call = get(url, { headers: { authorization: `Bearer ${token}` } });
  const [answer] = await once(call, 'response');
  let received = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    const isHalf = received < answerBytes / 2 && received + chunk.length >= answerBytes / 2;
    received += chunk.length;
    if (isSlow && isHalf) await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return received;
}

function sendLarge(response: NodeJS.WritableStream): void {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let left = answerBytes;
  const send = () => {
    while (left > 0) {
      left -= chunk.length;
      if (!response.write(chunk)) return void response.once('drain', send);
    }
    response.end();
  };
  send();
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a Prometheus that scrapes itself. */
async function startPrometheus(): Promise<AsyncDisposable & { url: string; pid: number }> {
  const [folder, address] = [await mkdtemp(join(tmpdir(), 'platform-prometheus-')), `127.0.0.1:${await freePort()}`];
  const config = join(folder, 'prometheus.yml');
  await writeFile(config, JSON.stringify({
    scrape_configs: [{ job_name: 'self', scrape_interval: '10s', static_configs: [{ targets: [address] }] }],
  }));
  const child = spawn('prometheus', [
    `--config.file=${config}`, `--storage.tsdb.path=${join(folder, 'data')}`, `--web.listen-address=${address}`,
    '--log.level=error',
  ], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'close');
  const scraped = async () => (await (await fetch(`http://${address}/${query}`)).text()).includes('"1"');
  await until(scraped, { within: 30_000, what: 'Prometheus has scraped itself' });
  return {
    url: `http://${address}`,
    pid: child.pid!,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
