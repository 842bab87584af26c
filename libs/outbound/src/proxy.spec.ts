import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { ConfigError, deadlineIn } from '@platform/service';
import { egressProxy } from '@platform/testing';
import { openAuthority } from '@platform/tls';
import { AddressRefused, Unreachable } from './errors.ts';
import { createOutbound, type OutboundOptions } from './outbound.ts';
import { readProxy } from './proxy.ts';

/** Answers with the header Host of the request. With `hosts`, uses HTTPS and a certificate for these names. */
async function startServer(hosts?: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'platform-outbound-'));
  const files = hosts && await (await openAuthority(folder)).issue({ role: 'service', name: 'any', hosts: [...hosts] });
  const answer: RequestListener = (request, response) => void response.end(request.headers.host);
  const server = files === undefined
    ? createServer(answer)
    : createSecureServer({ cert: await readFile(files.certificate), key: await readFile(files.key) }, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    ca: files === undefined ? '' : await readFile(files.ca, 'utf8'),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const resolveTo = (...addresses: string[]): Pick<OutboundOptions, 'resolve'> => ({ resolve: async () => addresses });
const soon = () => deadlineIn(5_000);

it.each([false, true])('requests go through the proxy to the address that was judged, keepAlive %s', async (keepAlive) => {
  await using server = await startServer();
  await using egress = await egressProxy(server.address);
  const proxy = readProxy({ HTTP_PROXY: egress.url.replace('//', '//user:w%40rd@') });
  const outbound = createOutbound({ ...resolveTo('192.0.43.8'), proxy, keepAlive });
  const { status, body } = await outbound.send('http://customer.example/', { deadline: soon() });
  expect([status, await text(body)]).toEqual([200, 'customer.example']);
  expect(egress.asked).toEqual(['192.0.43.8:80']);
  expect(egress.credentials).toEqual([`Basic ${Buffer.from('user:w@rd').toString('base64')}`]);
});

it.each([false, true])('TLS is with the server itself, whose name is checked, keepAlive %s', async (keepAlive) => {
  await using server = await startServer(['customer.example']);
  await using egress = await egressProxy(server.address);
  const outbound = createOutbound({ ...resolveTo('2606:4700::1'), proxy: readProxy({ HTTPS_PROXY: egress.url }), keepAlive });
  const send = (host: string) => outbound.send(`https://${host}:8443/`, { deadline: soon(), tls: { ca: server.ca } });
  expect(await text((await send('customer.example')).body)).toBe('customer.example:8443');
  await expect(send('other.example')).rejects.toBeInstanceOf(Unreachable);
  expect(egress.asked).toEqual(['[2606:4700::1]:8443', '[2606:4700::1]:8443']);
});

it.each([
  ['a name that resolves to a private address', 'http://customer.example/', ['10.0.0.1']],
  ['a name one of whose addresses is refused', 'http://customer.example/', ['192.0.43.8', '169.254.169.254']],
  ['a private address', 'http://192.168.1.1/', []],
  ['this machine', 'http://localhost/', ['192.0.43.8']],
])('the proxy is not asked for what the rules refuse: %s', async (_what, address, addresses) => {
  await using egress = await egressProxy(undefined);
  const outbound = createOutbound({ ...resolveTo(...addresses), proxy: readProxy({ HTTPS_PROXY: egress.url }) });
  await expect(outbound.send(address, { deadline: soon() })).rejects.toBeInstanceOf(AddressRefused);
  expect(egress.asked).toEqual([]);
});

it('a proxy that refuses, and one that is away, make the server unreachable', async () => {
  const egress = await egressProxy(undefined);
  const outbound = createOutbound({ ...resolveTo('192.0.43.8'), proxy: readProxy({ HTTPS_PROXY: egress.url }) });
  const send = () => outbound.send('http://customer.example/', { deadline: soon() });
  await expect(send()).rejects.toBeInstanceOf(Unreachable);
  expect(egress.asked).toEqual(['192.0.43.8:80']);
  await egress[Symbol.asyncDispose]();
  await expect(send()).rejects.toBeInstanceOf(Unreachable);
});

it.each([
  ['customer.example', 'customer.example', false],
  ['a.customer.example', 'customer.example', false],
  ['a.customer.example', '.customer.example', false],
  ['a.customer.example', '*.Customer.example', false],
  ['notcustomer.example', 'customer.example', true],
  ['customer.example.', 'other.example, customer.example', false],
  ['10.1.2.3', '10.0.0.0/8', false],
  ['11.1.2.3', '10.0.0.0/8', true],
  ['fd00::1', 'fd00::/8', false],
  ['192.0.43.8', '192.0.43.8', false],
  ['customer.example', '*', false],
  ['customer.example', '', true],
  ['127.0.0.1', '', false],
  ['::1', '', false],
])('NO_PROXY: %s with %s goes through the proxy: %s', (host, NO_PROXY, leads) => {
  expect(readProxy({ HTTPS_PROXY: 'http://proxy.example:3128', NO_PROXY })!.leads(host)).toBe(leads);
});

it('without an address there is no proxy, and an address that cannot be used is refused', () => {
  expect(readProxy({})).toBeUndefined();
  expect(readProxy({ HTTPS_PROXY: '' })).toBeUndefined();
  expect(() => readProxy({ HTTPS_PROXY: 'proxy.example:3128' })).toThrow(ConfigError);
  expect(() => readProxy({ HTTPS_PROXY: 'socks5://proxy.example' })).toThrow('HTTPS_PROXY: has an invalid value; accepted is an http or https address');
});
