import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@platform/postgres';
import { type HttpAnswer, until } from '@platform/testing';
import sharp from 'sharp';
import { formBody, pictureForm } from './form-body.ts';
import { honest } from './hostile-pictures.ts';
import { organizationHosts } from '../platform.ts';
import { atOnce, type Organization, outcome, type Person, startWorld, type World } from './world.ts';

let world: World, owner: Person, acme: Organization, lookUp: Server;
const asked: string[] = [];
type Answer = (response: ServerResponse) => void;
/** Answers of the external avatar service, by the hash of an address. */
const pictures = new Map<string, Answer>();

beforeAll(async () => {
  lookUp = createServer((request, response) => {
    asked.push(request.url!);
    const answer = pictures.get(new URL(request.url!, 'http://x').pathname.slice('/avatar/'.length));
    if (answer) answer(response);
    else response.writeHead(404).end();
  });
  lookUp.listen(0, '127.0.0.1');
  await once(lookUp, 'listening');
  const { port } = lookUp.address() as AddressInfo;
  world = await startWorld({ hosts: organizationHosts, settings: { 'avatars.lookupURL': `http://127.0.0.1:${port}/avatar` } });
  owner = await world.person('owner');
  acme = await world.organization(owner, { username: 'Acme', visibility: 'private' });
}, 120_000);
afterAll(async () => {
  lookUp?.closeAllConnections();
  lookUp?.close();
  await world?.[Symbol.asyncDispose]();
});

const at = '/api/v1/orgs/acme/avatar/';
const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });
const upload = (content: Uint8Array, as = owner) => as.http.post(at, pictureForm(content));
const pathOf = (url: string) => new URL(url).pathname;
const addressOf = async (path = at) => pathOf((await owner.http.get(path)).json<string>());
const pictureAt = (path: string) => world.nobody.get(path);
/** The picture that an answer to an upload names. */
const pictureOf = (uploaded: HttpAnswer) => pictureAt(pathOf(uploaded.json<string>()));
const pixel = async (answer: HttpAnswer, x: number, y: number) => {
  const { data, info } = await sharp(answer.body).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
};

describe('the picture of an organization without one of its own (open-points 3.1)', () => {
  it('is made from its name, and found at avatar_url by anybody who knows it', async () => {
    const { avatar_url: url } = (await owner.http.get('/api/v1/orgs/acme')).json<{ avatar_url: string }>();
    expect((await owner.http.get(at)).json()).toBe(url);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/avatars\/[0-9a-f]{32}$/);
    const picture = await pictureAt(pathOf(url));
    expect([picture.status, picture.header('content-type')]).toEqual([200, 'image/png']);
    expect(await sharp(picture.body).metadata()).toMatchObject({ format: 'png', width: 512, height: 512 });
  });

  it('may be kept for ever and is never sniffed', async () => {
    const path = await addressOf();
    const picture = await pictureAt(path);
    expect([picture.header('cache-control'), picture.header('x-content-type-options')])
      .toEqual(['public, max-age=31536000, immutable', 'nosniff']);
    expect((await world.nobody.get(path, { headers: { 'If-None-Match': picture.header('etag')! } })).status).toBe(304);
    const head = await world.nobody.send('HEAD', path);
    expect([head.status, head.body.length, head.header('content-length')])
      .toEqual([200, 0, String(picture.body.length)]);
  });

  it('is different for each name, and the same for one name again', async () => {
    await world.organization(owner, { username: 'pictured' });
    const first = (await pictureAt(await addressOf('/api/v1/orgs/pictured/avatar/'))).body;
    expect((await owner.http.delete('/api/v1/orgs/pictured')).status).toBe(204);
    await world.organization(owner, { username: 'Pictured' });
    expect((await pictureAt(await addressOf('/api/v1/orgs/pictured/avatar/'))).body.equals(first)).toBe(true);
    expect((await pictureAt(await addressOf())).body.equals(first)).toBe(false);
  });

  const elsewhere = ['0'.repeat(32), 'x', '..%2F..%2Fetc%2Fpasswd', '%00', 'A'.repeat(32), '0'.repeat(5_000)];
  it.each(elsewhere)('is not at /avatars/%s', async (name) => {
    expect([400, 404]).toContain((await pictureAt(`/avatars/${name}`)).status);
  });

  it('is read only: other methods are refused', async () => {
    const answer = await world.nobody.post(await addressOf(), {});
    expect([answer.status, answer.header('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('POST /orgs/{orgname}/avatar/ (spec §4.13, open-points 3.1)', () => {
  it.each(['png', 'jpeg', 'gif', 'webp'] as const)('takes a %s and keeps a PNG of 512 × 512', async (format) => {
    const before = await addressOf();
    const answer = await upload(await honest(format));
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'application/json']);
    const after = pathOf(answer.json<string>());
    expect(after).not.toBe(before);
    expect(await addressOf()).toBe(after);
    const kept = await sharp((await pictureAt(after)).body).metadata();
    expect(kept).toMatchObject({ format: 'png', width: 512, height: 512 });
    expect((await pictureAt(before)).status).toBe(404);
  });

  it('shows the middle of the picture, turned as it is meant to be', async () => {
    const left = await plain(100, 100, '#ff0000').png().toBuffer();
    const wide = await plain(300, 100, '#0000ff').composite([{ input: left, left: 100, top: 0 }]).png().toBuffer();
    const shown = await pictureOf(await upload(wide));
    expect([await pixel(shown, 20, 20), await pixel(shown, 491, 491)]).toEqual([[255, 0, 0], [255, 0, 0]]);
    const input = await sharp(left).resize(50, 100, { fit: 'fill' }).toBuffer();
    const half = await plain(100, 100, '#0000ff').composite([{ input, left: 0, top: 0 }])
      .withMetadata({ orientation: 3 }).png().toBuffer();
    const turned = await pictureOf(await upload(half));
    expect([await pixel(turned, 20, 256), await pixel(turned, 491, 256)]).toEqual([[0, 0, 255], [255, 0, 0]]);
  });

  it('drops all metadata, and all bytes behind the picture', async () => {
    const told = await sharp(await honest('jpeg')).withExif({ IFD0: { Copyright: 'SECRET-PLACE' } }).jpeg().toBuffer();
    const polyglot = Buffer.concat([told, Buffer.from('<script>alert("SECRET-PLACE")</script>')]);
    expect(polyglot.includes('SECRET-PLACE')).toBe(true);
    const shown = await pictureOf(await upload(polyglot));
    expect([shown.status, shown.body.includes('SECRET-PLACE')]).toEqual([200, false]);
    const { exif, icc, xmp } = await sharp(shown.body).metadata();
    expect([exif, icc, xmp]).toEqual([undefined, undefined, undefined]);
  });

  it('takes the first frame of an animation', async () => {
    const frames = await Promise.all(['#ff0000', '#00ff00'].map((colour) => plain(64, 64, colour).png().toBuffer()));
    for (const format of ['gif', 'webp'] as const) {
      const joined = sharp(frames, { join: { animated: true } });
      const animation = await (format === 'gif' ? joined.gif() : joined.webp({ lossless: true })).toBuffer();
      expect((await sharp(animation).metadata()).pages).toBe(2);
      expect(await pixel(await pictureOf(await upload(animation)), 256, 256)).toEqual([255, 0, 0]);
    }
  });

  it('takes the largest picture there may be', async () => {
    expect((await upload(await plain(4096, 3072, '#123456').png().toBuffer())).status).toBe(200);
  });

  it.each([
    ['no picture', () => formBody([{ name: 'source', content: 'local' }]), '422 validation_failed'],
    ['an empty file', () => pictureForm(Buffer.alloc(0)), '422 validation_failed'],
    ['an SVG', () => pictureForm(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'), '422 validation_failed'],
    ['a text that says it is a PNG', () => pictureForm(Buffer.from('hello'), 'image/png'), '422 validation_failed'],
    ['another source', () => formBody([{ name: 'source', content: 'remote' }]), '422 validation_failed'],
    ['a wrong boolean', () => formBody([{ name: 'federavatar', content: 'perhaps' }]), '422 validation_failed'],
    ['JSON', () => ({ body: '{}', headers: { 'content-type': 'application/json' } }), '415 unsupported_media_type'],
    ['no body', () => ({}), '415 unsupported_media_type'],
    ['more than a mebibyte', () => pictureForm(Buffer.alloc(1024 * 1024 + 1)), '413 body_too_large'],
    ['more than ten mebibytes', () => pictureForm(Buffer.alloc(10 * 1024 * 1024 + 1)), '413 body_too_large'],
    ['a form of more than twelve mebibytes', () => pictureForm(Buffer.alloc(12 * 1024 * 1024)), '413 body_too_large'],
  ] as const)('refuses %s', async (_, request, expected) => {
    const before = await addressOf();
    expect(outcome(await owner.http.post(at, request()))).toBe(expected);
    expect(await addressOf()).toBe(before);
  });

  it('refuses too many pixels, told by the header alone', async () => {
    for (const [width, height] of [[4097, 1], [1, 3073], [8_000, 8_000]] as const) {
      const large = await plain(width, height, '#000').png({ palette: true, colours: 2 }).toBuffer();
      expect(outcome(await upload(large))).toBe('422 validation_failed');
    }
  });

  it('refuses callers before pictures', async () => {
    const [viewer, outsider] = [await world.person('viewer'), await world.person('outsider')];
    await world.join(owner, acme.teams.Viewers, viewer);
    const bad = pictureForm(Buffer.from('no picture'));
    expect(outcome(await world.nobody.post(at, bad))).toBe('401 unauthenticated');
    expect(outcome(await outsider.http.post(at, bad))).toBe('404 not_found');
    expect(outcome(await viewer.http.post(at, bad))).toBe('403 forbidden');
    expect(outcome(await outsider.http.get(at))).toBe('404 not_found');
    expect(outcome(await viewer.http.post(`${at}delete`, {}))).toBe('403 forbidden');
    const systemAdmin = world.as(await world.operator.systemAdminToken('acme'));
    for (const http of [viewer.http, systemAdmin]) expect(outcome(await http.get(at))).toBe('200');
  });

  it('keeps one of many at once, and no file of the others', async () => {
    // One picture is decoded at a time, and eight more of an account may wait.
    const answers = await atOnce(9, async () => upload(await honest('png')));
    expect(answers.map(outcome)).toEqual(answers.map(() => '200'));
    const paths = answers.map((answer) => pathOf(answer.json<string>()));
    const found = await Promise.all(paths.map(async (path) => (await pictureAt(path)).status));
    expect(found.filter((status) => status === 200)).toHaveLength(1);
    expect(paths[found.indexOf(200)]).toBe(await addressOf());
  });
});

describe('POST /orgs/{orgname}/avatar/delete (spec §4.13, open-points 3.1)', () => {
  it('goes back to the made picture under a new address, and may be repeated', async () => {
    const uploaded = pathOf((await upload(await honest('png'))).json<string>());
    const deleted = await owner.http.post(`${at}delete`, {});
    expect([deleted.status, deleted.header('content-length')]).toEqual([200, '0']);
    const back = await addressOf();
    expect([(await pictureAt(uploaded)).status, (await pictureAt(back)).status]).toEqual([404, 200]);
    expect((await owner.http.post(`${at}delete`, {})).status).toBe(200);
    expect(await addressOf()).toBe(back);
  });

  it('leaves no file behind, nor does an organization that goes', async () => {
    await world.organization(owner, { username: 'gone' });
    expect((await owner.http.post('/api/v1/orgs/gone/avatar/', pictureForm(await honest('png')))).status).toBe(200);
    const path = await addressOf('/api/v1/orgs/gone/avatar/');
    expect((await owner.http.delete('/api/v1/orgs/gone')).status).toBe(204);
    expect((await pictureAt(path)).status).toBe(404);
    await upload(await honest('png'));
    await owner.http.post(`${at}delete`, {});
    const files = () => world.database.query(sql`select from picture_file`);
    await until(async () => (await files()).length === 0, { within: 30_000, what: 'all files are removed' });
  });
});

describe('source=lookup (open-points 3.1)', () => {
  const lookFor = (content: string) => owner.http.post(at, formBody([
    { name: 'source', content: 'lookup' }, { name: 'gravatar', content }, { name: 'federavatar', content: 'true' },
  ]));
  const hashOf = (email: string) => createHash('sha256').update(email).digest('hex');

  it('takes the picture the service has for the address', async () => {
    const content = await honest('jpeg');
    pictures.set(hashOf('ada@example.org'), (response) => response.end(content));
    const answer = await lookFor(' Ada@Example.ORG ');
    expect(answer.status).toBe(200);
    expect((await pictureOf(answer)).status).toBe(200);
    expect(asked.at(-1)).toBe(`/avatar/${hashOf('ada@example.org')}?s=512&d=404`);
  });

  const [tooMuch, location] = [Buffer.alloc(1024 * 1024 + 1), 'http://127.0.0.1:1/'];
  it.each<[what: string, email: string, answer: Answer | undefined, expected: string]>([
    ['has none', 'none@example.org', undefined, '422 validation_failed'],
    ['sends something else', 'text@example.org', (to) => to.writeHead(200).end('hello'), '422 validation_failed'],
    ['sends elsewhere', 'moved@example.org', (to) => to.writeHead(302, { location }).end(''), '422 validation_failed'],
    ['sends too much', 'large@example.org', (to) => to.writeHead(200).end(tooMuch), '502 bad_upstream'],
    ['fails', 'failing@example.org', (to) => to.writeHead(500).end(''), '502 bad_upstream'],
  ])('is refused when the service %s', async (_, email, answer, expected) => {
    if (answer !== undefined) pictures.set(hashOf(email), answer);
    const before = await addressOf();
    expect(outcome(await lookFor(email))).toBe(expected);
    expect(await addressOf()).toBe(before);
  });

  it.each(['', 'no address', 'a@b@c'])('asks for no address %j', async (email) => {
    const questions = asked.length;
    expect(outcome(await lookFor(email))).toBe('422 validation_failed');
    expect(asked).toHaveLength(questions);
  });

  it('waits no longer than a few seconds', async () => {
    pictures.set(hashOf('slow@example.org'), () => undefined);
    expect(outcome(await lookFor('slow@example.org'))).toBe('504 deadline_exceeded');
  });
});
