import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planNats } from '@platform/backing';
import { type BusConnection, connectBus } from '@platform/bus';
import {
  fillDisk, freePort, mayMount, type OwnServers, ownServers, repositoryRoot, smallDisk, until,
} from '@platform/testing';
import { buildMs, openHelm } from '../charts/helm.ts';

const mebibyte = 1024 * 1024;
const run = promisify(execFile);
/** Whether this machine has wget, which the chart's probe calls in the image of NATS. */
const hasWget = await run('wget', ['--version']).then(() => true, () => false);

(await mayMount() ? describe : describe.skip)('a bus whose disk was full', () => {
  let servers: OwnServers;
  beforeAll(async () => {
    servers = await ownServers();
  });
  afterAll(async () => {
    await servers?.[Symbol.asyncDispose]();
  });

  // nats-server 2.15.2: after a failed write a stream answers nothing until the server is started again.
  it('counts as dead once there is room again, so that it is started again and takes events', async () => {
    const { state, found: { nats: source } } = servers;
    if (source.kind !== 'binary') throw new Error('there is no nats-server to run');
    await mkdir(state.nats, { recursive: true });
    servers.defer(await smallDisk(state.nats, 16 * mebibyte));
    const monitor = await freePort();
    const server = await servers.open(async () => {
      const plan = await planNats({ source, state });
      return { ...plan, args: [...plan.args, '-m', String(monitor)] };
    });
    const { access: { url, credentials }, alive } = server.plan;
    const script = hasWget ? await livenessScript(monitor, state.nats) : undefined;
    const isWell = (check: Promise<unknown>) => check.then(() => true, () => false);
    /** Results of the liveness checks of the launcher and of Kubernetes. */
    const isAlive = async () => {
      const under = { launcher: await isWell(alive(AbortSignal.timeout(5_000))) };
      return script === undefined ? under : { ...under, kubernetes: await isWell(run('sh', ['-c', script])) };
    };
    const all = (answer: boolean) => ({ launcher: answer, ...(script !== undefined && { kubernetes: answer }) });
    const connect = () => connectBus({ url, credentials }, 5_000);
    const write = async (bus: BusConnection, bytes: number) => {
      const { text } = await bus.request('events.s0.user.1.k8s.c.product.p', 'x'.repeat(bytes), 1_000);
      return (JSON.parse(text) as { error?: unknown }).error === undefined;
    };
    await using bus = await connect();
    const config = { name: 'events-s0', subjects: ['events.s0.user.*.k8s.*.product.*'], storage: 'file', num_replicas: 1 };
    await bus.request('$JS.API.STREAM.CREATE.events-s0', JSON.stringify(config), 5_000);
    expect([await write(bus, 10), await isAlive()]).toEqual([true, all(true)]);
    const makeRoom = await fillDisk(state.nats);
    await until(() => write(bus, 100_000).then((isWritten) => !isWritten, () => true), { what: 'a write fails' });
    // The server counts as alive, because a restart would not help while the disk is full.
    expect(await isAlive()).toEqual(all(true));
    await makeRoom();
    expect(await isAlive()).toEqual(all(false));
    await server.stop();
    expect(await isAlive()).toEqual(all(false));
    await server.start();
    await using again = await connect();
    expect([await write(again, 10), await isAlive()]).toEqual([true, all(true)]);
  }, buildMs + 60_000);
});

/** The liveness script that Kubernetes runs in the chart's NATS, for a server on this machine. */
async function livenessScript(monitor: number, folder: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'platform-helm-'));
  try {
    const chart = join(repositoryRoot, 'deploy/charts/platform');
    const made = await (await openHelm(chart, home)).template([join(chart, 'examples/small.yaml')]);
    const nats = made.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name.endsWith('-nats'));
    const { template } = nats!.spec as { template: { spec: { containers: { livenessProbe: { exec: { command: string[] } } }[] } } };
    const [shell, option, script] = template.spec.containers[0]!.livenessProbe.exec.command;
    expect([shell, option]).toEqual(['sh', '-c']);
    return script!.replaceAll('127.0.0.1:8222', `127.0.0.1:${monitor}`).replace('/data', folder);
  } finally {
    await rm(home, { recursive: true });
  }
}
