import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deadlineIn, Secret } from '@platform/service';
import { download } from './download.ts';
import { createFileLinks } from './file-links.ts';
import type { FileStore } from './file-store.ts';
import { openFolderStore } from './folder-store.ts';
import { createUploads, extensionOf } from './uploads.ts';

const [first, second] = [new Secret('the first key of the specs, long enough'), new Secret('the second key of the specs')];
const now = Date.parse('2026-11-22T12:00:00Z');
const expires = now / 1000 + 60;
const key = 'contracts/7/3f2c.pdf';

/** Returns another text that decodes to the same bytes: base64url ignores the last two bits of 43 characters. */
function sameBytes(text: string): string {
  const last = text.charCodeAt(42);
  const other = [...alphabet].find((letter) => {
    return letter.charCodeAt(0) !== last && bytesOf(text.slice(0, 42) + letter).equals(bytesOf(text));
  });
  return text.slice(0, 42) + other!;
}
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const bytesOf = (text: string) => Buffer.from(text, 'base64url');

/** Returns the query parameters of a link. */
function partsOf(link: string): [expires: string, signature: string] {
  const { searchParams } = new URL(link);
  return [searchParams.get('expires')!, searchParams.get('signature')!];
}

describe('a link', () => {
  const links = createFileLinks('https://platform.example', [first], () => now);
  const link = links.sign(key, expires);

  it('names the file and is valid until it expires', () => {
    expect(link).toMatch(/^https:\/\/platform\.example\/files\/contracts\/7\/3f2c\.pdf\?expires=\d+&signature=[\w-]{43}$/);
    expect(links.isValid(key, ...partsOf(link))).toBe(true);
    const at = (moment: number) => createFileLinks('', [first], () => moment).isValid(key, ...partsOf(link));
    expect([at(expires * 1000 - 1), at(expires * 1000)]).toEqual([true, false]);
  });

  it('is valid in another process, and as long as its key is among the keys', () => {
    const valid = (...keys: Secret[]) => createFileLinks('', keys, () => now).isValid(key, ...partsOf(link));
    expect([valid(first), valid(second, first), valid(second)]).toEqual([true, true, false]);
  });

  it('is of no use once altered', () => {
    const [, signature] = partsOf(link);
    const other = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    const altered: [string, string, string][] = [
      ['contracts/8/3f2c.pdf', String(expires), signature],
      [key, String(expires + 1), signature],
      [key, `0${expires}`, signature],
      [key, `${expires}e0`, signature],
      [key, '', signature],
      [key, String(expires), other],
      [key, String(expires), signature.slice(1)],
      [key, String(expires), `${signature}=`],
      [key, String(expires), sameBytes(signature)],
      [key, String(expires), ''],
      [`${key}\n${expires}`, '', signature],
    ];
    expect(altered.filter((parts) => links.isValid(...parts))).toEqual([]);
  });
});

describe('a download', () => {
  const links = createFileLinks('', [first], () => now);
  let folder: string;
  let store: FileStore;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platform files '));
    store = await openFolderStore(folder);
    await store.put(key, Buffer.alloc(200_000, 'x'), deadlineIn(10_000));
  });
  afterAll(async () => rm(folder, { recursive: true, force: true }));

  async function piecesOf(name: string, [at, signature] = partsOf(`http://x${links.sign(name, expires)}`)) {
    const pieces = [];
    const context = { deadline: deadlineIn(10_000) };
    for await (const piece of download({ name, expires: at!, signature: signature! }, context, { store, links })) {
      pieces.push(piece);
    }
    return pieces;
  }

  it('has the stored name and the size first, and then the bytes', async () => {
    const [head, ...rest] = await piecesOf(key);
    expect([head!.filename, head!.size, head!.body.contentType]).toEqual(['3f2c.pdf', 200_000, 'application/octet-stream']);
    expect(Buffer.concat(rest.map(({ body }) => body.data)).equals(Buffer.alloc(200_000, 'x'))).toBe(true);
  });

  it.each(['contracts/7/gone.pdf', 'never/there'])('of %s is not found', async (name) => {
    await expect(piecesOf(name)).rejects.toMatchObject({ reason: 'NOT_FOUND' });
  });

  it.each([key, 'never/there', '../../etc/passwd', ''])('of %s with a wrong signature is forbidden', async (name) => {
    await expect(piecesOf(name, [String(expires), 'AAAA'])).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});

describe('uploads', () => {
  it('that nobody kept are removed a day later', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platform files '));
    try {
      let clock = Date.now();
      const store = await openFolderStore(folder);
      const uploads = createUploads({ store, keys: [first], now: () => clock });
      const context = { caller: undefined, deadline: deadlineIn(10_000) };
      async function* requests() {
        yield { filename: 'a.pdf', contentType: '', chunk: Buffer.from('x') };
      }
      const { upload } = await uploads.receive(requests(), context);
      expect(uploads.open(upload, context).filename).toBe('a.pdf');
      clock += 61 * 60 * 1000;
      expect(() => uploads.open(upload, context)).toThrow('expired');
      expect(await uploads.removeAbandoned(deadlineIn(10_000))).toBe(0);
      clock += 24 * 60 * 60 * 1000;
      expect(await uploads.removeAbandoned(deadlineIn(10_000))).toBe(1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.each([
    ['a.PDF', '.pdf'], ['a.tar.gz', '.gz'], ['a', ''], ['a.', ''], ['a.p-df', ''], [`a.${'x'.repeat(17)}`, ''], ['.env', '.env'], ['a.pdf\n', ''],
  ])('keep the extension of %j as %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });
});
