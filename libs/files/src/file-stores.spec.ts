import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deadlineIn, DeadlineExceeded, Secret, Unavailable } from '@platform/service';
import { freePort, mayMount, smallDisk, tcpProxy } from '@platform/testing';
import { type BucketOptions, openBucketStore } from './bucket-store.ts';
import type { FileStore } from './file-store.ts';
import { buildMilliseconds, installedGo, startBucket, type TestBucket } from './fixtures/versitygw.ts';
import { openFolderStore } from './folder-store.ts';

const go = await installedGo(process.env);
if (go === undefined) process.stderr.write('note   left out: files in a bucket. Go is needed to build their server.\n');
const mayFill = await mayMount();
if (!mayFill) process.stderr.write('note   left out: a full disk. None may be mounted here.\n');
const soon = () => deadlineIn(10_000);

let folder: string;
let server: TestBucket | undefined;
let bucket: BucketOptions;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform files '));
  if (go === undefined) return;
  server = await startBucket(go, process.env);
  const { endpoint, bucket: name, accessKey, secretKey } = server;
  bucket = { endpoint, bucket: name, region: 'us-east-1', keys: keysOf(accessKey, secretKey) };
}, buildMilliseconds);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function keysOf(accessKey: string, secretKey: string): BucketOptions['keys'] {
  return async () => ({ accessKey: new Secret(accessKey), secretKey: new Secret(secretKey) });
}

type Kind = readonly [name: string, open: () => Promise<FileStore>];
const inFolder: Kind = ['a folder', () => openFolderStore(join(folder, 'made'))];
const inBucket: Kind = ['a bucket', () => Promise.resolve(openBucketStore(bucket))];

const files = (_: string, open: Kind[1]) => {
  let store: FileStore;

  beforeAll(async () => {
    store = await open();
  });

  it.each([0, 1, 1_000, 3 * 1024 * 1024])('come back as they were put: %i bytes', async (size) => {
    const content = randomBytes(size);
    await store.put(`sizes/${size}`, content, soon());
    expect((await store.get(`sizes/${size}`, soon()))?.equals(content)).toBe(true);
  });

  it('are replaced by files of the same key', async () => {
    await store.put('replaced', Buffer.from('first, and longer'), soon());
    await store.put('replaced', Buffer.from('second'), soon());
    expect((await store.get('replaced', soon()))?.toString()).toBe('second');
  });

  it.each([0, 1, 5 * 1024 * 1024, 12 * 1024 * 1024])('are written and read in pieces: %i bytes', async (size) => {
    const content = randomBytes(size);
    expect(await store.write(`pieces/${size}`, inPieces(content), soon())).toBe(size);
    const file = (await store.read(`pieces/${size}`, soon()))!;
    expect([file.size, (await buffer(file.content)).equals(content)]).toEqual([size, true]);
    expect(await store.read('pieces/none', soon())).toBeUndefined();
  });

  it.each([1, 11])('are not written when their content fails after %i MiB', async (mebibytes) => {
    const failing = async function* () {
      yield* inPieces(randomBytes(mebibytes * 1024 * 1024));
      throw new Error('the client left');
    };
    await expect(store.write('failed/one', failing(), soon())).rejects.toThrow('the client left');
    expect(await store.get('failed/one', soon())).toBeUndefined();
  });

  it('are moved, and may be moved again', async () => {
    await store.put('moved/from', Buffer.from('new'), soon());
    await store.put('moved/to/there', Buffer.from('old'), soon());
    expect(await store.move('moved/from', 'moved/to/there', soon())).toBe(true);
    expect(await store.move('moved/from', 'moved/to/there', soon())).toBe(true);
    expect((await store.get('moved/to/there', soon()))?.toString()).toBe('new');
    expect(await store.get('moved/from', soon())).toBeUndefined();
    expect(await store.move('moved/never', 'moved/nowhere', soon())).toBe(false);
  });

  it('are removed by age, in their folder only', async () => {
    await store.put('aged/one', Buffer.from('x'), soon());
    await store.put('aged/two', Buffer.from('x'), soon());
    await store.put('other/one', Buffer.from('x'), soon());
    expect(await store.removeOlder('aged', new Date(Date.now() - 60_000), soon())).toBe(0);
    expect(await store.removeOlder('aged', new Date(Date.now() + 60_000), soon())).toBe(2);
    expect(await store.get('aged/one', soon())).toBeUndefined();
    expect((await store.get('other/one', soon()))?.toString()).toBe('x');
    expect(await store.removeOlder('nothing-here', new Date(), soon())).toBe(0);
  });

  it('are removed by age, beyond the 1,000 files of one page of a list', async () => {
    const names = Array.from({ length: 1_005 }, (_, index) => `many/file-${index}`);
    for (let from = 0; from < names.length; from += 50) {
      await Promise.all(names.slice(from, from + 50).map((name) => store.put(name, Buffer.from('x'), soon())));
    }
    await store.put('many/below/one', Buffer.from('x'), soon());
    expect(await store.removeOlder('many', new Date(Date.now() + 60_000), deadlineIn(60_000))).toBe(names.length);
    expect((await store.get('many/below/one', soon()))?.toString()).toBe('x');
  }, 90_000);

  it('are gone once removed, and may be removed again', async () => {
    await store.put('gone/one', Buffer.from('one'), soon());
    await store.remove('gone/one', soon());
    await store.remove('gone/one', soon());
    expect(await store.get('gone/one', soon())).toBeUndefined();
    expect(await store.get('never/there', soon())).toBeUndefined();
  });

  it('are whole for every reader while they are put', async () => {
    const contents = [Buffer.alloc(400_000, 'a'), Buffer.alloc(500_000, 'b')];
    await store.put('raced', contents[0]!, soon());
    const writes = Array.from({ length: 10 }, (__, index) => store.put('raced', contents[index % 2]!, soon()));
    const reads = await Promise.all(Array.from({ length: 20 }, () => store.get('raced', soon())));
    await Promise.all(writes);
    expect(reads.filter((read) => !contents.some((content) => read?.equals(content)))).toEqual([]);
  });

  it.each([
    ...['', '/', '/etc/passwd', '../up', 'a/../../up', 'a//b', 'a/', '.hidden', 'a/.hidden'],
    ...['A', 'a b', 'a\0b', 'a\\b', 'a?b', 'a%2fb', 'ä', 'a'.repeat(201)],
  ])('have no key %j', async (key) => {
    await expect(store.put(key, Buffer.from('x'), soon())).rejects.toThrow(TypeError);
    await expect(store.get(key, soon())).rejects.toThrow(TypeError);
    await expect(store.remove(key, soon())).rejects.toThrow(TypeError);
  });

  it('are there for another process that opens the store', async () => {
    await store.put('shared', Buffer.from('kept'), soon());
    await using other = await open();
    expect((await other.get('shared', soon()))?.toString()).toBe('kept');
  });
};
describe.each([inFolder])('files in %s', files);
(go === undefined ? describe.skip : describe).each([inBucket])('files in %s', files);

async function* inPieces(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += 64 * 1024) yield content.subarray(at, at + 64 * 1024);
}

describe('a folder', () => {
  it('that cannot be made is refused at once', async () => {
    await expect(openFolderStore('/proc/no/such/folder')).rejects.toThrow(Unavailable);
    await writeFile(join(folder, 'a-file'), '');
    await expect(openFolderStore(join(folder, 'a-file'))).rejects.toThrow(Unavailable);
  });

  (mayFill ? it : it.skip)('on a full disk refuses what it cannot keep, and keeps what it has', async () => {
    const small = join(folder, 'small');
    await mkdir(small);
    const unmount = await smallDisk(small, 256 * 1024);
    try {
      const store = await openFolderStore(small);
      await store.put('kept', Buffer.from('first'), soon());

      await expect(store.put('kept', randomBytes(1024 * 1024), soon())).rejects.toThrow(Unavailable);

      expect((await store.get('kept', soon()))?.toString()).toBe('first');
      expect(await readdir(join(small, '.incoming'))).toEqual([]);
      await store.put('kept', Buffer.from('second'), soon());
      expect((await store.get('kept', soon()))?.toString()).toBe('second');
    } finally {
      await unmount();
    }
  });

  it('keeps no draft of what was put', async () => {
    const root = join(folder, 'drafts');
    await using store = await openFolderStore(root);
    await store.put('one', Buffer.from('one'), soon());
    expect(await readdir(join(root, '.incoming'))).toEqual([]);
  });
});

(go === undefined ? describe.skip : describe)('a bucket', () => {
  const withOptions = (different: Partial<BucketOptions>) => openBucketStore({ ...bucket, ...different });

  it('is signed in to: a wrong secret keeps and shows nothing', async () => {
    const store = withOptions({ keys: keysOf(server!.accessKey, 'wrong') });
    await expect(store.put('secret', Buffer.from('x'), soon())).rejects.toThrow(Unavailable);
    await expect(store.get('shared', soon())).rejects.toThrow(Unavailable);
    expect(await withOptions({}).get('secret', soon())).toBeUndefined();
  });

  it('that does not exist is a failure, never a missing file', async () => {
    const store = withOptions({ bucket: 'nosuch' });
    await expect(store.get('shared', soon())).rejects.toThrow(Unavailable);
    await expect(store.put('shared', Buffer.from('x'), soon())).rejects.toThrow(Unavailable);
  });

  // S3 documents this failure for CopyObject. The server of the other cases cannot produce it.
  it('keeps the source of a copy that fails after the status 200', async () => {
    const asked: string[] = [];
    const failing = createServer(({ method }, response) => {
      asked.push(method!);
      response.end('<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>InternalError</Code></Error>');
    }).listen(0, '127.0.0.1');
    try {
      await once(failing, 'listening');
      const store = withOptions({ endpoint: `http://127.0.0.1:${(failing.address() as AddressInfo).port}` });
      await expect(store.move('source', 'target', soon())).rejects.toThrow(Unavailable);
      expect(asked).toEqual(['PUT']);
    } finally {
      failing.close();
    }
  });

  it('on a server that is away, or that does not answer, fails in time', async () => {
    const away = withOptions({ endpoint: `http://127.0.0.1:${await freePort()}` });
    await expect(away.get('shared', soon())).rejects.toThrow(Unavailable);
    const proxy = await tcpProxy(bucket.endpoint);
    proxy.hold();
    const slow = withOptions({ endpoint: `http://${proxy.address}` });
    await expect(slow.get('shared', deadlineIn(300))).rejects.toThrow(DeadlineExceeded);
  });
});
