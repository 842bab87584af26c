import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type BusLie, lyingBus, type LyingBus, testBus, type TestBus, until } from '@platform/testing';
import { connectBus } from './connection.ts';
import { addExports, createAccountKeys, signAccount } from './operator.ts';
import { listAccounts, lookUpAccount, pushAccount, removeAccounts } from './system-account.ts';

const patience = 300;
const greeting = 'INFO {"server_id":"N","version":"2.15.2","headers":true,"max_payload":1048576}\r\n';

let bus: TestBus;
let liar: LyingBus;
let login: { url: string; credentials: string };
beforeAll(async () => {
  [bus, liar] = [await testBus(), await lyingBus()];
  login = { url: `nats://${liar.address}`, credentials: bus.systemCredentials };
});

const lies: [string, BusLie][] = [
  ['says nothing', { says: '' }],
  ['never ends its first line', { floods: true }],
  ['greets as a web server', { says: 'HTTP/1.1 400 Bad Request\r\n\r\n' }],
  ['greets with nothing', { says: 'INFO {}\r\n' }],
  ['greets with null', { says: 'INFO null\r\n' }],
  ['greets, and is silent', { says: greeting }],
  ['lets in, and says garbage', { says: `${greeting}PONG\r\nGET / HTTP/1.1\r\n` }],
  ['lets in, and announces 60 MB', { says: `${greeting}PONG\r\nMSG a 1 62914560\r\n` }],
  ['lets in, and announces 10^15 bytes', { says: `${greeting}PONG\r\nMSG a 1 1000000000000000\r\n` }],
  ['lets in, and reports an error', { says: `${greeting}PONG\r\n-ERR 'Stale Connection'\r\n` }],
  ['answers nothing', { answers: () => '' }],
  ['answers null', { answers: () => 'null' }],
  ['answers {}', { answers: () => '{}' }],
  ['answers in HTML', { answers: () => '<html>busy</html>' }],
  ['has no servers', { answers: () => '{"server":{"name":"x"},"statsz":{"active_servers":0},"data":{"code":200}}' }],
  ['has 10^9 servers', { answers: () => '{"server":{"name":"x"},"statsz":{"active_servers":1000000000},"data":{"code":200}}' }],
  ['says neither yes nor no', { answers: () => '{"server":{"name":"x"},"statsz":{"active_servers":1}}' }],
  ['says no, and not why', { answers: () => '{"statsz":{"active_servers":1},"error":{}}' }],
];

describe.each(lies)('a server that %s', (_what, lie) => {
  it('has refused the request, and costs nothing', async () => {
    liar.lie(lie);
    const keys = createAccountKeys();
    const jwt = await signAccount(bus.operatorSeed, keys.publicKey, { name: 'told', jetstream: false });
    await expect(pushAccount(login, jwt, patience)).rejects.toThrow();
    await expect(removeAccounts(login, bus.operatorSeed, [keys.publicKey], patience)).rejects.toThrow();
    await until(() => liar.open === 0, { what: 'no connection is left' });
  });
});

describe('where another server answers', () => {
  const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
  const ask = (address: string) => {
    const url = `nats://${address},${bus.url}`;
    return lookUpAccount({ ...login, url }, createAccountKeys().publicKey, 1_000);
  };

  it('a server that says nothing costs nothing', async () => {
    liar.lie({ says: '' });
    const before = liar.total;
    // The client chooses at random which server it tries first.
    await until(async () => {
      await ask(liar.address);
      return liar.total > before;
    }, { what: 'it is tried' });
    await until(() => liar.open === 0, { what: 'no connection is left' });
  });

  it('a server that takes no connection costs nothing', async () => {
    await using full = await fullServer();
    const before = sockets();
    // Each call tries the dead server first with a probability of one half.
    for (let exchange = 0; exchange < 6; exchange += 1) await ask(full.address);
    await until(() => sockets() <= before, { what: 'no socket is left' });
  });
});

it('of several servers each is asked which accounts it holds', async () => {
  const status = '{"statsz":{"active_servers":2}}';
  const list = (...keys: string[]) => JSON.stringify({ server: { name: keys[0] }, data: keys });
  const answering = (...lists: string[]): BusLie =>
    ({ answers: (subject) => (subject === '$SYS.REQ.CLAIMS.LIST' ? lists : status) });
  liar.lie(answering(list('A', 'B'), list('B', 'C')));
  expect(await listAccounts(login, patience)).toEqual(['A', 'B', 'C']);
  liar.lie(answering(list('A', 'B')));
  await expect(listAccounts(login, patience)).rejects.toThrow('Only 1 of 2 bus servers answered');
});

it('a server that goes silent is noticed', async () => {
  liar.lie({ says: `${greeting}PONG\r\n` });
  const connection = await connectBus(login, patience);
  await connection.closed;
  await until(() => liar.open === 0, { what: 'no connection is left' });
});

it('the JWT of another account is not taken for the one asked for', async () => {
  const [asked, answered] = [createAccountKeys(), createAccountKeys()];
  const jwt = await signAccount(bus.operatorSeed, answered.publicKey, { name: 'other', jetstream: false });
  liar.lie({ answers: () => jwt });
  const held = await lookUpAccount(login, asked.publicKey, patience);
  await expect(addExports(bus.operatorSeed, asked.publicKey, held!, [])).rejects.toThrow(asked.publicKey);
});

/** A server whose process hangs and whose queue is full: it neither accepts nor refuses connections. */
async function fullServer(): Promise<AsyncDisposable & { readonly address: string }> {
  const worker = new Worker(`
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:worker_threads').parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });
  `, { eval: true });
  const [port] = await once(worker, 'message') as [number];
  const waiting = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await until(() => waiting.some(({ connecting }) => !connecting), { what: 'its queue is filled' });
  expect(waiting.some(({ connecting }) => connecting)).toBe(true);
  return {
    address: `127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of waiting) socket.destroy();
      await worker.terminate();
    },
  };
}
