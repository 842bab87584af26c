import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { ServiceNotStarted } from './service-process.ts';
import { startService } from './start-service.ts';

const main = join(import.meta.dirname, 'fixtures/echo-service.ts');

function ask(address = ''): Promise<string> {
  const [host, port] = address.split(':');
  return text(connect(Number(port), host));
}

describe('a started service', () => {
  it('is a process of its own at the address it announces', async () => {
    await using service = await startService('echo', {}, { main, environment: { ECHO_WORD: 'joy' } });
    const [replica] = service.replicas;
    await expect(ask(service.addresses['grpc'])).resolves.toBe(String(replica.pid));
    expect(replica.pid).not.toBe(process.pid);
    expect(replica.log).toContain('begins with joy');
  });

  it('has as many replicas as asked for, each at its own address', async () => {
    await using service = await startService('echo', {}, { main, replicas: 2 });
    const pids = await Promise.all(service.addressList('grpc').split(',').map(ask));
    expect(new Set(pids).size).toBe(2);
    expect(() => service.addressList('http')).toThrow(RangeError);
  });

  it('comes back at the same address after it was killed', async () => {
    await using service = await startService('echo', {}, { main });
    const [replica] = service.replicas;
    const first = replica.pid;
    expect(replica.hasEnded).toBe(false);
    await expect(replica.kill()).resolves.toEqual({ code: null, signal: 'SIGKILL' });
    expect(replica.hasEnded).toBe(true);
    await expect(ask(service.addresses['grpc'])).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await replica.restart();
    expect(replica.hasEnded).toBe(false);
    expect(replica.pid).not.toBe(first);
    await expect(ask(service.addresses['grpc'])).resolves.toBe(String(replica.pid));
  });

  it('ends in order when it is released', async () => {
    const service = await startService('echo', {}, { main });
    await service[Symbol.asyncDispose]();
    await expect(service.replicas[0].exited).resolves.toEqual({ code: 0, signal: null });
    await expect(service.stop()).resolves.toBeUndefined();
  });

  it('that ends before it is ready says how, with its log', async () => {
    const starting = startService('echo', {}, { main, environment: { ECHO_WORD: 'fail' } });
    await expect(starting).rejects.toThrow(ServiceNotStarted);
    await expect(starting).rejects.toMatchObject({
      exit: { code: 3, signal: null }, log: expect.arrayContaining(['cannot go on']),
    });
  });
});
