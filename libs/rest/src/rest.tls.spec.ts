import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, silentLogger } from '@platform/service';
import { http, until } from '@platform/testing';
import { type Authority, openAuthority, watchTls, type WatchedTls } from '@platform/tls';
import { startTestRest, type TestRest } from '../testdata/test-rest.ts';

const shop = { role: 'service', name: 'gateway', hosts: ['localhost', '127.0.0.1'] } as const;

let folder: string;
let authority: Authority;
let tls: WatchedTls;
let ca: Buffer;
let secure: TestRest;
let plain: TestRest;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-tls-'));
  authority = await openAuthority(folder);
  tls = await watchTls(await authority.issue(shop), silentLogger);
  ca = tls.current.ca!;
  secure = await startTestRest({ serve: { tls } });
  plain = await startTestRest();
});
afterAll(async () => {
  for (const one of [secure, plain, tls]) await one[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function get(path: string, method = 'GET'): Promise<IncomingMessage & { body: string }> {
  const asked = request(`${secure.baseUrl}${path}`, { method, agent: new Agent({ ca }) }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return Object.assign(response, { body: await text(response) });
}

const everywhere = ['/livez', '/page', '/api/v1/text/a', '/api/v1/nobody-knows', '/nobody/knows'];

describe('the gateway over HTTPS', () => {
  it('says so, and speaks to clients that trust its authority', async () => {
    expect(secure.baseUrl).toMatch(/^https:/);
    expect((await get('/livez')).statusCode).toBe(200);
    const stranger = request(`${secure.baseUrl}/livez`, { agent: new Agent() }).end();
    await expect(once(stranger, 'response')).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  });

  it.each(everywhere)('makes browsers use HTTPS only (%s)', async (path) => {
    const { headers } = await get(path);
    expect(headers).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
  });

  it('answers no plain text, and goes on', async () => {
    const url = new URL(secure.baseUrl);
    const socket = connectTcp(Number(url.port), url.hostname).end('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.on('error', () => undefined);
    expect(await text(socket).catch(() => '')).not.toContain('HTTP/1.1');
    const old = connectTls({ port: Number(url.port), host: url.hostname, ca, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' });
    await expect(once(old, 'secureConnect')).rejects.toMatchObject({ code: expect.stringMatching(/^ERR_SSL/) });
    expect((await get('/livez')).statusCode).toBe(200);
  });

  it('does not wait for a handshake when it stops', async () => {
    const lines: string[] = [];
    const log = createLogger({ service: 'gateway', destination: { write: (line) => void lines.push(line) } });
    const stopped = await startTestRest({ serve: { tls, log } });
    const { port, hostname } = new URL(stopped.baseUrl);
    const socket = connectTcp(Number(port), hostname).on('error', () => undefined);
    await once(socket, 'connect');
    await stopped[Symbol.asyncDispose]();
    // A handshake that timed out would be logged.
    expect(lines).toEqual([]);
  });

  it('shows a new certificate without a restart', async () => {
    const before = await shown();
    await authority.issue(shop);
    await until(async () => (await shown()) !== before, { what: 'the new certificate is shown' });
    expect((await get('/livez')).statusCode).toBe(200);
  });
});

describe('the gateway over HTTP', () => {
  it.each(everywhere)('has the same headers, and that of HTTPS (%s)', async (path) => {
    const answer = await http(plain.baseUrl).get(path);
    expect(answer.header('strict-transport-security')).toBeUndefined();
    expect(answer.header('x-content-type-options')).toBe('nosniff');
    expect(answer.header('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('has them on what is no request too', async () => {
    const url = new URL(plain.baseUrl);
    const socket = connectTcp(Number(url.port), url.hostname).end('nonsense\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    expect(answer).toMatch(/X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nContent-Security-Policy: /);
  });
});

async function shown(): Promise<string> {
  const { port, hostname: host } = new URL(secure.baseUrl);
  const socket = connectTls({ host, port: Number(port), ca, servername: 'localhost' });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}
