import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planNats } from '@platform/backing';
import { type BusConnection, connectBus } from '@platform/bus';
import { fillDisk, mayMount, type OwnServers, ownServers, smallDisk, until } from '@platform/testing';

const mebibyte = 1024 * 1024;

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
    const server = await servers.open(() => planNats({ source, state }));
    const { access: { url, credentials }, alive } = server.plan;
    const isAlive = () => alive(AbortSignal.timeout(5_000)).then(() => true, () => false);
    const connect = () => connectBus({ url, credentials }, 5_000);
    const write = async (bus: BusConnection, bytes: number) => {
      const { text } = await bus.request('events.s0.user.1.k8s.c.product.p', 'x'.repeat(bytes), 1_000);
      return (JSON.parse(text) as { error?: unknown }).error === undefined;
    };
    await using bus = await connect();
    const config = { name: 'events-s0', subjects: ['events.s0.user.*.k8s.*.product.*'], storage: 'file', num_replicas: 1 };
    await bus.request('$JS.API.STREAM.CREATE.events-s0', JSON.stringify(config), 5_000);
    expect([await write(bus, 10), await isAlive()]).toEqual([true, true]);
    const makeRoom = await fillDisk(state.nats);
    await until(() => write(bus, 100_000).then((isWritten) => !isWritten, () => true), { what: 'a write fails' });
    // Starting it again would not help.
    expect(await isAlive()).toBe(true);
    await makeRoom();
    expect(await isAlive()).toBe(false);
    await server.stop();
    await server.start();
    await using again = await connect();
    expect([await write(again, 10), await isAlive()]).toEqual([true, true]);
  }, 60_000);
});
