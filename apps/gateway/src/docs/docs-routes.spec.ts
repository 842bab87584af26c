import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { WholeAnswer } from '@platform/http';
import { readDocs } from './docs-files.ts';
import { docsRoutes } from './docs-routes.ts';

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

const open = (basePath = '') => docsRoutes(basePath, (path) => readDocs(path, folder));
const request = (method = 'GET', encoding = 'identity') => {
  return { method, headers: { 'accept-encoding': encoding } } as unknown as IncomingMessage;
};

async function get(path: string, { basePath = '', encoding = 'identity' } = {}) {
  const asked = request('GET', encoding);
  const answer = await open(basePath)({ path, request: asked })!.answer(asked) as WholeAnswer;
  return { ...answer, header: (name: string) => answer.headers.find(([one]) => one === name)?.[1], text: String(answer.body) };
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
    expect(String(decode(answer.body as Buffer))).toBe(plain.text);
  }
});

it('other paths and methods are not theirs', () => {
  const docs = open();
  for (const path of ['/', '/docsx', '/orgs/docs']) expect(docs({ path, request: request() })).toBeUndefined();
  expect(docs({ path: '/docs/', request: request('POST') })).toBeUndefined();
  expect(docs({ path: '/docs/', request: request('HEAD') })).toBeDefined();
});

it('documents that are not built yet are asked for again', async () => {
  let place = join(folder, 'missing');
  const docs = docsRoutes('', (path) => readDocs(path, place));
  const ask = async () => (await docs({ path: '/docs/', request: request() })!.answer(request())) as WholeAnswer;
  const before = await ask();
  expect([before.status, String(before.body)]).toEqual([404, expect.stringContaining('npm run docs')]);
  place = folder;
  expect((await ask()).status).toBe(200);
});
