import { crc32, deflateSync } from 'node:zlib';
import type { SeededRandom } from '@platform/testing';
import sharp from 'sharp';
import { type FormPart, formBody, pictureForm } from './form-body.ts';

/** A request that tries to do harm. */
interface Hostile { readonly what: string; readonly body: Buffer; readonly headers: Readonly<Record<string, string>> }

type Make = (random: SeededRandom) => Promise<Buffer> | Buffer;

/** Files that are not pictures, or pictures of formats that are not accepted. Random choices make many of each kind. */
const files: readonly (readonly [what: string, make: Make])[] = [
  ['a PNG cut off', async (random) => cut(await honest('png'), random)],
  ['a JPEG cut off', async (random) => cut(await honest('jpeg'), random)],
  ['a GIF cut off', async (random) => cut(await honest('gif'), random)],
  ['a WebP cut off', async (random) => cut(await honest('webp'), random)],
  ['a PNG of huge size', (random) => png(random.integer(4_097, 2 ** 31 - 1), 2 ** 31 - 1, Buffer.alloc(100))],
  ['a PNG that unfolds', (random) => png(random.integer(10_000, 60_000), 60_000, deflateSync(Buffer.alloc(8_000_000)))],
  ['a PNG one pixel too wide', () => plain(4_097, 1, 'png')],
  ['a PNG one pixel too high', () => plain(1, 3_073, 'png')],
  ['a JPEG too large', () => plain(4_100, 3_100, 'jpeg')],
  ['a GIF of huge size', () => hugeGif],
  ['a WebP too large', () => plain(5_000, 100, 'webp')],
  ['a PNG without pixels', () => png(8, 8, Buffer.alloc(0))],
  ['a PNG of no size', () => png(0, 0, deflateSync(Buffer.alloc(1)))],
  ['a PNG with random pixels data', (random) => png(512, 512, noise(random, 2_000))],
  ['a PNG signature before noise', (random) => after('\x89PNG\r\n\x1a\n', noise(random, 5_000))],
  ['a JPEG signature before noise', (random) => after('\xff\xd8\xff', noise(random, 5_000))],
  ['a WebP signature before noise', (random) => after('RIFF\x00\x10\x00\x00WEBP', noise(random, 4_000))],
  ['a GIF that is a script', () => Buffer.from('GIF89a/*\x00\x00*/=1;alert(1)//', 'latin1')],
  ['a page that looks like a GIF', () => Buffer.from('GIF87a<html><script>alert(1)</script></html>')],
  ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['an SVG of laughing entities', () => Buffer.from(
    `<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(1_000)}"><!ENTITY b "${'&a;'.repeat(1_000)}">]>`
    + `<svg xmlns="http://www.w3.org/2000/svg"><text>${'&b;'.repeat(1_000)}</text></svg>`,
  )],
  ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a PDF', () => Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>')],
  ['a ZIP', (random) => after('PK\x03\x04', noise(random, 1_000))],
  ['a program', (random) => after('\x7fELF', noise(random, 1_000))],
  ['a TIFF', () => plain(64, 64, 'tiff')],
  ['an AVIF', () => plain(64, 64, 'avif')],
  ['a BMP', (random) => after('BM', noise(random, 1_000))],
  ['noise', (random) => noise(random, random.integer(1, 100_000))],
  ['nothing', () => Buffer.alloc(0)],
  ['zeros', () => Buffer.alloc(1024 * 1024)],
  ['a picture of more than a mebibyte', async () => Buffer.concat([await honest('png'), Buffer.alloc(1024 * 1024)])],
  ['a file of ten mebibytes', () => Buffer.alloc(10 * 1024 * 1024)],
];

type Body = (random: SeededRandom) => Promise<Omit<Hostile, 'what'>>;
const form = (...parts: readonly FormPart[]) => formBody(parts);
const avatar = async (): Promise<FormPart> => ({ name: 'avatar', filename: 'a.png', content: await honest('png') });
/** An honest form with a wrong content type. */
const said = async (contentType: string) =>
  ({ body: pictureForm(await honest('png')).body, headers: { 'content-type': contentType } });

/** Invalid forms, and forms without a picture. */
const forms: readonly (readonly [what: string, make: Body])[] = [
  ['a form of another boundary', () => said('multipart/form-data; boundary=other')],
  ['a form without boundary', () => said('multipart/form-data')],
  ['a form that ends early', async (random) => {
    const { body, headers } = pictureForm(await honest('png'));
    return { headers, body: body.subarray(0, random.integer(1, body.length - 20)) };
  }],
  ['a form without parts', async () => form()],
  ['a form without the picture', async () => form({ name: 'source', content: 'local' })],
  ['a form with two pictures', async () => form(await avatar(), await avatar())],
  ['a form of another source', async () => form(await avatar(), { name: 'source', content: 'elsewhere' })],
  ['a form that looks up nobody', async () => form({ name: 'source', content: 'lookup' })],
  ['a form of thousands of parts', async () =>
    form(...Array.from({ length: 3_000 }, (_, at) => ({ name: `p${at}`, content: 'x' })))],
  ['a form with a huge name', async () => form({ name: 'n'.repeat(200_000), content: 'x' })],
  ['a form with a huge text', async () => form({ name: 'source', content: 'x'.repeat(5 * 1024 * 1024) })],
  ['a form larger than any', async () => form({ name: 'avatar', filename: 'a', content: Buffer.alloc(13_700_000) })],
  ['a form with invalid text', async () => form({ name: 'source', content: Buffer.from([0xff, 0xfe, 0x00]) })],
  ['a form inside a form', async () => {
    const content = '--x\r\n\r\nx\r\n--x--';
    return form({ name: 'avatar', filename: 'a', type: 'multipart/mixed; boundary=x', content });
  }],
  ['JSON', async () =>
    ({ body: Buffer.from('{"avatar":{"content":"AA=="}}'), headers: { 'content-type': 'application/json' } })],
  ['a picture without a form', async () => ({ body: await honest('png'), headers: { 'content-type': 'image/png' } })],
  ['a compressed form', async () => {
    const { body, headers } = pictureForm(await honest('png'));
    return { body: deflateSync(body), headers: { ...headers, 'content-encoding': 'deflate' } };
  }],
  ['a form of another type', () => said('application/x-www-form-urlencoded')],
];

/** The kinds of hostile requests. */
export const hostileKinds: readonly string[] = [...files, ...forms].map(([what]) => what);

/** One request of a kind. The same random choices make the same request. */
export async function hostile(kind: number, random: SeededRandom): Promise<Hostile> {
  const file = files[kind];
  if (file !== undefined) return { what: file[0], ...pictureForm(await file[1](random)) };
  const [what, make] = forms[kind - files.length]!;
  return { what, ...(await make(random)) };
}

const made = new Map<string, Promise<Buffer>>();

/** A valid picture with visible content. */
export function honest(format: 'png' | 'jpeg' | 'gif' | 'webp'): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const;
  const create = { width: 300, height: 200, channels: 3, background: '#336699', noise } as const;
  const known = made.get(format) ?? sharp({ create }).toFormat(format).toBuffer();
  made.set(format, known);
  return known;
}

const plain = (width: number, height: number, format: 'png' | 'jpeg' | 'webp' | 'tiff' | 'avif') =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } }).toFormat(format).toBuffer();
/** Truncates a file. Cuts at least 10 %, so that pixels are missing. */
const cut = (content: Buffer, random: SeededRandom) =>
  content.subarray(0, random.integer(1, Math.floor(content.length * 0.9)));
const noise = (random: SeededRandom, length: number) =>
  Buffer.from(Array.from({ length }, () => random.integer(0, 255)));
const after = (signature: string, content: Buffer) => Buffer.concat([Buffer.from(signature, 'latin1'), content]);

/** Screen and frame of 65,535 × 65,535, and the data of a single pixel. */
const hugeGif = Buffer.from([
  ...Buffer.from('GIF89a'), 0xff, 0xff, 0xff, 0xff, 0x80, 0, 0, 0, 0, 0, 255, 255, 255,
  0x2c, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 2, 2, 0x4c, 0x01, 0, 0x3b,
]);

/** A PNG of eight bits and three channels with an arbitrary header. */
function png(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const chunks = [chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))];
  return after('\x89PNG\r\n\x1a\n', Buffer.concat(chunks));
}
