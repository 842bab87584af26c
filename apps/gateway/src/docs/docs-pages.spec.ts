import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Router } from '@platform/http';
import { startTestRest } from '@platform/rest/testdata';
import { http } from '@platform/testing';
import { readDocs } from './docs-files.ts';
import { docsPages } from './docs-pages.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs '));
  await mkdir(join(folder, 'rules'));
  await mkdir(join(folder, 'assets'));
  const link = '<a href="/__platform-base__/docs/errors">Errors</a>';
  for (const name of ['index', 'errors', '404', 'rules/index']) await writeFile(join(folder, `${name}.html`), `${name} ${link}`);
  await writeFile(join(folder, 'assets/app.Ab3_-xY9.js'), `f("/__platform-base__/docs/");${'// long'.repeat(300)}`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const running = new Map<string, Awaited<ReturnType<typeof serve>>>();
afterAll(async () => {
  for (const one of running.values()) await one[Symbol.asyncDispose]();
});

async function serve(pages: Router) {
  // The pages call no other service, so any address will do.
  const server = await startTestRest({ addresses: ['127.0.0.1:1'], serve: { pages } });
  return { client: http(server.baseUrl), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Returns a client of a gateway that serves the documents. `basePath`: path of the platform below its host. */
async function open(basePath = '') {
  const server = running.get(basePath) ?? await serve(docsPages(basePath, (path) => readDocs(path, folder)));
  running.set(basePath, server);
  return server.client;
}

async function get(path: string, { basePath = '', encoding = 'identity' } = {}) {
  return (await open(basePath)).get(path, { headers: { 'accept-encoding': encoding } });
}

it.each([
  ['/docs/', 200, /^index /], ['/docs/errors', 200, /^errors /], ['/docs/errors.html', 200, /^errors /],
  ['/docs/rules/', 200, /^rules\/index /], ['/docs/nothing', 404, /^404 /], ['/docs/../etc/passwd', 404, /^404 /],
] as const)('%s answers %d', async (path, status, text) => {
  const answer = await get(path);
  expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(text)]);
  expect(answer.header('Content-Security-Policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(answer.header('Cache-Control')).toBe('no-cache');
});

it('folders are reached with a slash at their end, below the path of the platform', async () => {
  for (const [path, address] of [['/docs', '/a/path/docs/'], ['/docs/rules', '/a/path/docs/rules/']] as const) {
    const answer = await get(path, { basePath: '/a/path' });
    expect([answer.status, answer.header('Location')]).toEqual([308, address]);
  }
});

it('addresses in files begin with the path of the platform', async () => {
  expect((await get('/docs/errors')).text).toContain('"/docs/errors"');
  expect((await get('/docs/errors', { basePath: '/a/path' })).text).toContain('"/a/path/docs/errors"');
  expect((await get('/docs/assets/app.Ab3_-xY9.js', { basePath: '/a/path' })).text).toContain('f("/a/path/docs/")');
});

it('files with a hash in their name are kept for ever, and compressed', async () => {
  const path = '/docs/assets/app.Ab3_-xY9.js';
  const plain = await get(path);
  expect(plain.header('Cache-Control')).toBe('public, max-age=31536000, immutable');
  for (const [accepted, encoding, decode] of [['gzip', 'gzip', gunzipSync], ['gzip, br', 'br', brotliDecompressSync]] as const) {
    const answer = await get(path, { encoding: accepted });
    expect([answer.header('Content-Encoding'), answer.header('Vary')]).toEqual([encoding, 'Accept-Encoding']);
    expect(String(decode(answer.body))).toBe(plain.text);
  }
});

it('other paths and methods are not theirs', async () => {
  const client = await open();
  const plainNotFound = '{"message":"Not Found"}';
  for (const path of ['/', '/docsx', '/orgs/docs', '/Docs']) expect((await client.get(path)).text).toBe(plainNotFound);
  for (const path of ['/docs', '/docs/', '/docs/errors']) {
    for (const method of ['POST', 'OPTIONS', 'DELETE']) expect((await client.send(method, path)).text).toBe(plainNotFound);
  }
  const head = await client.send('HEAD', '/docs/');
  expect([head.status, head.text]).toEqual([200, '']);
});

it('documents that are not built yet are asked for again', async () => {
  let place = join(folder, 'missing');
  await using server = await serve(docsPages('', (path) => readDocs(path, place)));
  const before = await server.client.get('/docs/');
  expect([before.status, before.text]).toEqual([404, expect.stringContaining('npm run docs')]);
  place = folder;
  expect((await server.client.get('/docs/')).status).toBe(200);
});
