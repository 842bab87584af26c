import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { environmentName, grpcServices, type SettingKey } from '@platform/service';
import { freePort } from '../free-port.ts';
import { http } from '../http.ts';
import { repositoryRoot } from '../repository.ts';
import { askKeeper } from '../servers/ask-keeper.ts';
import { ServiceNotStarted } from '../service-process.ts';
import { type ServiceSettings, type StartedService, startService, type StartServiceOptions, testSecret } from '../start-service.ts';
import { until } from '../until.ts';
import type { HostRequest } from '../servers/host-protocol.ts';

/** The gateway starts without the services that it calls. */
const alone: ServiceSettings = {
  'secrets.serviceCredential': testSecret(),
  ...Object.fromEntries(grpcServices.map(({ addresses }) => [addresses, '127.0.0.1:9'])),
};
const worker = process.env['JEST_WORKER_ID'] ?? '0';

async function gateway(options: StartServiceOptions = {}): Promise<StartedService> {
  return startService('gateway', { ...alone, 'http.port': String(await freePort()) }, options);
}
const killed = () => gateway({ ownProcess: 'killed' });
const lives = (admin = '') =>
  http(`http://${admin}`).get('/livez').then(({ status }) => status === 200, () => false);
const isLive = ({ addresses }: StartedService) => lives(addresses['admin']);

describe('services that share a process', () => {
  it('listen and log each for itself', async () => {
    const [one, other] = await Promise.all([gateway(), gateway()]);
    const [first, second] = [one.replicas[0], other.replicas[0]];
    expect(() => first.pid).toThrow('ownProcess');
    const logged = (log: readonly string[]) => log.filter((line) => line.includes('"ready"'));
    for (const { addresses: { http: address }, log } of [first, second]) {
      expect(logged(log)).toEqual([expect.stringContaining(address!)]);
    }
    await one.stop();
    expect([await isLive(one), await isLive(other)]).toEqual([false, true]);
    await expect(first.exited).resolves.toEqual({ code: 0, signal: null });
    await other.stop();
  });

  it('come back at the same address after a stop', async () => {
    await using service = await gateway();
    const { addresses } = service;
    await service.replicas[0].restart();
    expect(service.replicas[0].addresses).toEqual(addresses);
    expect(await isLive(service)).toBe(true);
  });

  it('are not killed, because the others would end with them', async () => {
    await using service = await gateway();
    await expect(service.replicas[0].kill()).rejects.toThrow('ownProcess');
    expect(await isLive(service)).toBe(true);
  });

  it('that cannot start say why, and the others go on', async () => {
    await using service = await gateway();
    const starting = startService('gateway', { 'stop.timeout': 'soon' });
    await expect(starting).rejects.toThrow(ServiceNotStarted);
    await expect(starting).rejects.toMatchObject({
      exit: { code: 1, signal: null }, log: expect.arrayContaining([expect.stringContaining('stop.timeout')]),
    });
    expect(await isLive(service)).toBe(true);
  });

  it('are traced in processes of their own only', async () => {
    await expect(startService('gateway', { 'telemetry.endpoint': 'http://127.0.0.1:9' })).rejects.toThrow(RangeError);
  });

  it('stop when the spec file that opened them is gone', async () => {
    const { socket } = await askKeeper({ ask: 'host', worker });
    const file = join(repositoryRoot, 'apps/gateway/src/service.ts');
    const admin = `127.0.0.1:${await freePort()}`;
    const given: ServiceSettings = { ...alone, 'admin.listen': admin, 'http.port': String(await freePort()) };
    const environment = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [environmentName(key as SettingKey), value]),
    );
    const client = connect(socket);
    client.write(`${JSON.stringify({ ask: 'open', name: 'gateway', file, environment } satisfies HostRequest)}\n`);
    await until(() => lives(admin), { within: 30_000, what: 'the gateway answers' });
    client.destroy();
    await until(async () => !(await lives(admin)), { within: 10_000, what: 'the gateway has stopped' });
  });

  it('end with their process, and the next ones are in a new one', async () => {
    const lost = await gateway();
    const [replica] = lost.replicas;
    const { pid } = await askKeeper({ ask: 'host', worker });
    process.kill(pid, 'SIGKILL');
    await expect(replica.exited).resolves.toEqual({ code: 1, signal: null });
    expect(replica.hasEnded).toBe(true);
    await using next = await gateway();
    expect((await askKeeper({ ask: 'host', worker })).pid).not.toBe(pid);
    expect(await isLive(next)).toBe(true);
  });
});

describe('services that are killed', () => {
  it('are alone in a process, and come back at the same address in another one', async () => {
    const [service, other] = await Promise.all([killed(), killed()]);
    const [replica] = service.replicas;
    const { pid, addresses } = replica;
    expect(other.replicas[0].pid).not.toBe(pid);
    await expect(replica.kill()).resolves.toEqual({ code: null, signal: 'SIGKILL' });
    expect([await isLive(service), await isLive(other)]).toEqual([false, true]);
    await replica.restart();
    expect(replica.addresses).toEqual(addresses);
    expect(replica.pid).not.toBe(pid);
    expect(await isLive(service)).toBe(true);
    await Promise.all([service.stop(), other.stop()]);
  });

  it('stop at SIGTERM as a process does, and their process takes the next one', async () => {
    const pids = new Set<number>();
    let isReused = false;
    // The keeper hears of a free process a moment later, and another spec may get it first.
    for (let turn = 0; turn < 20 && !isReused; turn += 1) {
      const { replicas: [replica] } = await killed();
      isReused = pids.has(replica.pid);
      pids.add(replica.pid);
      process.kill(replica.pid, 'SIGTERM');
      await expect(replica.exited).resolves.toEqual({ code: 0, signal: null });
      expect(replica.log.some((line) => line.includes('"stopped"'))).toBe(true);
      // This must not end the process.
      await expect(replica.kill()).resolves.toEqual({ code: 0, signal: null });
    }
    expect(isReused).toBe(true);
  });

  it('that are stopped when they should stop are killed', async () => {
    const { replicas: [replica] } = await killed();
    process.kill(replica.pid, 'SIGSTOP');
    await expect(replica.stop()).resolves.toEqual({ code: null, signal: 'SIGKILL' });
  }, 40_000);

  it('that cannot start say why, and leave no process behind that others would get', async () => {
    const starting = startService('gateway', { 'stop.timeout': 'soon' }, { ownProcess: 'killed' });
    await expect(starting).rejects.toMatchObject({ exit: { code: 1, signal: null } });
    await using service = await killed();
    expect(await isLive(service)).toBe(true);
  });
});
