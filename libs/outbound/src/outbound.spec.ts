import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DeadlineExceeded, deadlineIn } from '@platform/service';
import { AddressRefused, AnswerTooLarge, Unreachable } from './errors.ts';
import { createOutbound } from './outbound.ts';
import { readBounded } from './read-bounded.ts';

let canary: Server;
let port: number;
/** Number of connections that reached the canary. */
let reached = 0;

beforeAll(async () => {
  canary = createServer((request, response) => {
    if (request.url === '/redirect') response.writeHead(302, { location: '/' }).end();
    else if (request.url === '/large') response.end('x'.repeat(100_000));
    else if (request.url === '/trickle') response.write('begun');
    else if (request.url === '/cut') response.write('begun', () => response.destroy());
    else if (request.url === '/echo') request.pipe(response);
    else if (request.url === '/switch') response.socket!.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    else if (request.url !== '/silent') response.end(`${request.method} ${request.headers.host}`);
  });
  canary.on('connection', () => {
    reached += 1;
  });
  await new Promise<void>((listening) => canary.listen(0, '127.0.0.1', listening));
  ({ port } = canary.address() as AddressInfo);
});
beforeEach(() => {
  reached = 0;
});
afterAll(() => {
  canary.closeAllConnections();
  canary.close();
});

const soon = () => deadlineIn(5_000);
const failure = (call: Promise<unknown>): Promise<unknown> => call.then(() => 'it succeeded', (error: unknown) => error);
/** A client that may connect to the canary. */
const toCanary = (resolve?: (name: string) => Promise<string[]>) =>
  createOutbound({ allowed: ['127.0.0.1/32'], ...(resolve && { resolve }) });
const send = (path: string) => toCanary().send(`http://127.0.0.1:${port}${path}`, { deadline: soon() });

describe('addresses that are refused', () => {
  it.each([
    '127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.0.0.1', '0177.0.0.1', '017700000001', '127.0.0.1.',
    '１２７.0.0.1', '127。0。0。1', '0.0.0.0', '0', '127.255.255.254', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::1]',
    '[2002:7f00:1::]', '[2001:db8::5efe:127.0.0.1]', '[2400::200:5efe:127.0.0.1]', '[::ffff:0:127.0.0.1]', '[2001::1]',
    '10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '[fc00::1]', '[fd12::1]',
    '169.254.169.254', '169.254.1.1', '[fe80::1]', '[::ffff:169.254.169.254]', '[64:ff9b::a9fe:a9fe]', '[fd00:ec2::254]',
    '100.100.100.200', '168.63.129.16', '224.0.0.1', '239.1.2.3', '[ff02::1]', '255.255.255.255', '240.0.0.1', '192.0.2.1',
    '198.18.0.1', '[2001:db8::1]', '[fec0::1]',
  ])('%s', async (host) => {
    const outbound = createOutbound();
    const address = `http://${host}:${port}/`;
    expect(() => outbound.parse(address)).toThrow(AddressRefused);
    expect(await failure(outbound.check(address, soon()))).toBeInstanceOf(AddressRefused);
    expect(await failure(outbound.send(address, { deadline: soon() }))).toBeInstanceOf(AddressRefused);
    expect(reached).toBe(0);
  });

  it.each([
    'file:///etc/passwd', 'ftp://example.org/', 'gopher://example.org/', 'javascript:alert(1)', 'data:,a', '//example.org',
    'example.org', '', 'http://', 'https://user@example.org/', 'https://:secret@example.org/', 'http://[fe80::1%25lo]/',
    'http://1.2.3.4.5/', 'http://256.0.0.1/', 'unix:/var/run/docker.sock', 'http://exa mple.org/',
  ])('%s is not the address of a server', async (address) => {
    expect(() => createOutbound().parse(address)).toThrow(AddressRefused);
  });

  it.each([
    ['one that resolves to a refused address', ['127.0.0.1']],
    ['one of whose addresses is refused', ['192.0.43.8', '127.0.0.1']],
    ['one with a scoped address', ['fe80::1%lo']],
    ['one that resolves to a mapped address', ['::ffff:127.0.0.1']],
    ['one that resolves to no address', ['not an address']],
  ])('names: %s', async (_what, addresses) => {
    const outbound = createOutbound({ resolve: async () => addresses });
    const address = `http://customer.example:${port}/`;
    expect(await failure(outbound.check(address, soon()))).toBeInstanceOf(AddressRefused);
    expect(await failure(outbound.send(address, { deadline: soon() }))).toBeInstanceOf(AddressRefused);
    expect(reached).toBe(0);
  });

  it.each(['localhost', 'localhost.', 'LOCALHOST.', 'metrics.localhost', 'metrics.localhost.'])(
    'names of this machine, also where they do not resolve: %s',
    async (host) => {
      const outbound = createOutbound({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
      const address = `http://${host}:${port}/`;
      expect(() => outbound.parse(address)).toThrow(AddressRefused);
      expect(await failure(outbound.check(address, soon()))).toBeInstanceOf(AddressRefused);
      expect(await failure(outbound.send(address, { deadline: soon() }))).toBeInstanceOf(AddressRefused);
      expect(toCanary().parse(address).port).toBe(String(port));
    },
  );

  it('names that another client looks up', async () => {
    const looked = (addresses: readonly string[]) => new Promise((resolve) => {
      const { lookup } = createOutbound({ resolve: async () => addresses, allowed: ['127.0.0.2/32'] });
      lookup('customer.example', { all: true }, (error, found) => resolve(error ?? found));
    });
    expect(await looked(['192.0.43.8', '127.0.0.1'])).toBeInstanceOf(AddressRefused);
    expect(await looked(['169.254.169.254'])).toBeInstanceOf(AddressRefused);
    expect(await looked([])).toBeInstanceOf(Unreachable);
    expect(await looked(['127.0.0.2'])).toEqual([{ address: '127.0.0.2', family: 4 }]);
  });

  it('names, without what only this network knows', async () => {
    const outbound = createOutbound({ resolve: async () => ['10.1.2.3'] });
    await expect(outbound.check('http://database.internal/', soon())).rejects.toThrow(
      /^database\.internal resolves to an address that is not permitted$/,
    );
  });

  it('names that resolve to something else after the check (rebinding)', async () => {
    const answers = [['192.0.43.8'], ['127.0.0.1']];
    const outbound = createOutbound({ resolve: async () => answers.shift()! });
    const url = await outbound.check(`http://customer.example:${port}/`, soon());
    expect(await failure(outbound.send(url, { deadline: soon() }))).toBeInstanceOf(AddressRefused);
    expect(reached).toBe(0);
  });

  it('denied networks, unless they are allowed; metadata addresses always', () => {
    const outbound = createOutbound({
      denied: ['8.8.0.0/16', '2001:4860::/32'], allowed: ['8.8.4.0/24', '10.1.0.0/16', '0.0.0.0/0'], privateNetworks: true,
    });
    for (const host of ['8.8.4.4', '10.2.0.1', '127.0.0.1', '[64:ff9b::8.8.8.8]', '[fc00::1]']) {
      expect(outbound.parse(`http://${host}/`).protocol).toBe('http:');
    }
    for (const host of ['[2001:4860::1]', '169.254.169.254', '[::ffff:169.254.169.254]', '[fd00:ec2::254]', '[::1]']) {
      expect(() => outbound.parse(`http://${host}/`)).toThrow(AddressRefused);
    }
    const strict = createOutbound({ denied: ['8.8.0.0/16'] });
    for (const host of ['8.8.8.8', '[::ffff:8.8.8.8]']) expect(() => strict.parse(`http://${host}/`)).toThrow(AddressRefused);
    expect(strict.parse('https://8.9.0.1/').hostname).toBe('8.9.0.1');
  });

  it('networks that cannot be read are an error at start', () => {
    expect(() => createOutbound({ denied: ['10.0.0.0/40'] })).toThrow(RangeError);
  });
});

describe('a request', () => {
  it('goes to the very address that was judged: the name is resolved once', async () => {
    const resolved: string[] = [];
    const outbound = toCanary(async (name) => {
      resolved.push(name);
      return resolved.length === 1 ? ['127.0.0.1'] : ['203.0.113.1'];
    });
    const { status, body } = await outbound.send(`http://customer.example:${port}/`, { deadline: soon() });
    expect([status, await text(body), resolved]).toEqual([200, `GET customer.example:${port}`, ['customer.example']]);
  });

  it('carries method, headers and body', async () => {
    const url = `http://127.0.0.1:${port}/echo`;
    const whole = await toCanary().send(url, { method: 'POST', body: 'a body', deadline: soon() });
    expect(await text(whole.body)).toBe('a body');
    const streamed = Readable.from([Buffer.from('in '), Buffer.from('parts')]);
    const answer = await toCanary().send(url, { method: 'PUT', body: streamed, deadline: soon() });
    expect(await text(answer.body)).toBe('in parts');
  });

  it('follows no redirect', async () => {
    const { status, headers, body } = await send('/redirect');
    body.destroy();
    expect([status, headers.location, reached]).toEqual([302, '/', 1]);
  });

  it('bounds what is read of the answer', async () => {
    expect((await readBounded((await send('/large')).body, 100_000)).length).toBe(100_000);
    expect(await failure(readBounded((await send('/large')).body, 99_999))).toBeInstanceOf(AnswerTooLarge);
  });

  it('fails when the answer is cut', async () => {
    expect(await failure(readBounded((await send('/cut')).body, 1_000))).toBeInstanceOf(Unreachable);
  });

  it.each(['/silent', '/trickle'])('ends at its deadline (%s)', async (path) => {
    const call = toCanary().send(`http://127.0.0.1:${port}${path}`, { deadline: deadlineIn(100) });
    expect(await failure(call.then(({ body }) => text(body)))).toBeInstanceOf(DeadlineExceeded);
  });

  it('does not destroy its body when it fails', async () => {
    const body = new PassThrough();
    body.write('begun');
    const call = createOutbound({ resolve: async () => ['10.1.2.3'] }).send('http://customer.example/', {
      method: 'POST', body, deadline: soon(),
    });
    expect(await failure(call)).toBeInstanceOf(AddressRefused);
    expect(body.destroyed).toBe(false);
  });

  it('ends when its body does', async () => {
    const body = new PassThrough();
    body.write('begun');
    const call = toCanary().send(`http://127.0.0.1:${port}/echo`, { method: 'POST', body, deadline: soon() });
    const { body: echo } = await call;
    body.destroy();
    await expect(text(echo)).rejects.toThrow();
  });

  it.each(['GET', 'POST'])('fails at once when the answer switches protocols (%s)', async (method) => {
    const call = toCanary().send(`http://127.0.0.1:${port}/switch`, { method, deadline: deadlineIn(600_000) });
    expect(await failure(call)).toBeInstanceOf(Unreachable);
  });

  it('ends when its name is not resolved in time', async () => {
    const outbound = createOutbound({ resolve: () => new Promise(() => undefined) });
    const url = 'http://customer.example/';
    expect(await failure(outbound.check(url, deadlineIn(50)))).toBeInstanceOf(DeadlineExceeded);
    expect(await failure(outbound.send(url, { deadline: deadlineIn(50) }))).toBeInstanceOf(DeadlineExceeded);
  });

  it.each(['/silent', '/trickle'])('ends at once when the caller gives up (%s)', async (path) => {
    const caller = new AbortController();
    const deadline = deadlineIn(60_000, caller.signal);
    const call = toCanary().send(`http://127.0.0.1:${port}${path}`, { deadline }).then(({ body }) => text(body));
    setTimeout(() => caller.abort(), 50);
    expect(await failure(call)).toBeInstanceOf(DeadlineExceeded);
    expect(await failure(toCanary().send(`http://127.0.0.1:${port}/`, { deadline }))).toBeInstanceOf(DeadlineExceeded);
  });

  it('fails when nothing listens, the name does not resolve, or what answers is not HTTP', async () => {
    const noise = createTcpServer((socket) => socket.resume().end('220 mail.example ESMTP\r\n'));
    await new Promise<void>((listening) => noise.listen(0, '127.0.0.1', listening));
    const noisePort = (noise.address() as AddressInfo).port;
    const call = (url: string) => failure(toCanary().send(url, { deadline: soon() }));
    expect(await call(`http://127.0.0.1:${noisePort}/`)).toBeInstanceOf(Unreachable);
    await new Promise((closed) => noise.close(closed));
    expect(await call(`http://127.0.0.1:${noisePort}/`)).toBeInstanceOf(Unreachable);
    const unknown = createOutbound({ resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await failure(unknown.send('http://customer.example/', { deadline: soon() }))).toBeInstanceOf(Unreachable);
    expect((await unknown.check('http://customer.example/', soon())).hostname).toBe('customer.example');
  });
});
