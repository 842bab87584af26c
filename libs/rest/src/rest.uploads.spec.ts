import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createUploads, openFolderStore, type UploadRequest } from '@platform/files';
import { deadlineIn, Secret } from '@platform/service';
import { http, until } from '@platform/testing';
import { formOf, type FormPart } from '../testdata/form-of.ts';
import { refusalOf } from '../testdata/refusal.ts';
import { startTestRest } from '../testdata/test-rest.ts';
import { aliceToken, strangerToken, type WireMessage } from '../testdata/test-service.ts';

const folder = await mkdtemp(join(tmpdir(), 'platform-uploads-'));
const store = await openFolderStore(folder);
const uploads = createUploads({ store, keys: [new Secret('a key of the specs, long enough')] });
/** Chunks that an upload method received. */
let chunks = 0;
/** How many requests the service counted in the rate limit for all calls together. */
let requests = 0;

const running = await startTestRest({
  counted: (more) => {
    requests += more;
  },
  handlers: {
    PostDocument: async (request, context) => {
      const form = request['form'] as WireMessage & { document?: { upload: string } | null };
      if (!form.document) return request;
      const file = uploads.open(form.document.upload, context);
      await uploads.keep(file, 'documents/kept', context.deadline);
      const { filename, contentType: content_type, size } = file;
      return { ...request, form: { ...form, document: { filename, content_type, size } }, name: filename };
    },
  },
  streams: {
    UploadDocument: async (requests, context) => uploads.receive(counted(requests), context),
  },
});
const client = http(running.baseUrl);

async function* counted(requests: AsyncIterable<WireMessage>): AsyncGenerator<UploadRequest> {
  for await (const { filename = '', content_type: contentType = '', chunk = Buffer.alloc(0) } of requests) {
    chunks += 1;
    yield { filename, contentType, chunk } as UploadRequest;
  }
}

afterAll(async () => {
  await running[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function post(parts: readonly FormPart[], { token = aliceToken, query = 'org=acme', end = '' } = {}) {
  const { body, headers } = formOf(parts, end);
  return client.post(`/api/v1/documents/7?${query}`, { body, headers: { ...headers, Authorization: `token ${token}` } });
}

/** Waits until the service has removed incomplete uploads. */
function noDrafts(): Promise<unknown> {
  const isEmpty = async () => (await readdir(join(folder, '.incoming'))).length === 0;
  return until(isEmpty, { what: 'the draft is removed', within: 30_000 });
}

const title: FormPart = ['name="title"', 'a'];
const document = (content: string | Buffer, filename = 'a.pdf'): FormPart => [
  `name="document"; filename="${filename}"`, content, 'application/pdf',
];
const ten = 10 * 1024 * 1024;

describe('a form counts once (open-points 1.9)', () => {
  test('by its length', async () => {
    const [{ body }, before] = [formOf([title, document(Buffer.alloc(3_000_000))], ''), requests];
    expect((await post([title, document(Buffer.alloc(3_000_000))])).status).toBe(200);
    expect(requests - before).toBe(Math.ceil(body.length / (16 * 1024)));
  });

  test('of unknown length as the largest', async () => {
    const { body, headers } = formOf([title, document('content')], '');
    const lines = Object.entries({ ...headers, Authorization: `token ${aliceToken}` }).map((line) => line.join(': '));
    const head = `POST /api/v1/documents/7?org=acme HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${lines.join('\r\n')}`;
    const chunked = Buffer.concat([
      Buffer.from(`${head}\r\n\r\n${body.length.toString(16)}\r\n`), Buffer.from(body), Buffer.from('\r\n0\r\n\r\n'),
    ]);
    const before = requests;
    expect((await client.exchange(chunked))[0]!.status).toBe(200);
    expect(requests - before).toBe(768);
  });
});

describe('the file of a form is uploaded', () => {
  test.each([
    ['before the other parts', (file: FormPart) => [file, title]],
    ['after them', (file: FormPart) => [title, file]],
  ])('%s', async (_, order) => {
    const content = Buffer.alloc(3_000_000, 'x');
    const answer = await post(order(document(content)));
    expect([answer.status, answer.json<{ form: object }>().form]).toMatchObject([
      200,
      { title: 'a', document: { filename: 'a.pdf', contentType: 'application/pdf', size: content.length } },
    ]);
    expect((await store.get('documents/kept', deadlineIn(10_000)))?.equals(content)).toBe(true);
    expect(await readdir(join(folder, 'uploads'))).toEqual([]);
  });

  test('up to 10 MiB', async () => {
    expect((await post([title, document(Buffer.alloc(ten))])).status).toBe(200);
    expect(refusalOf(await post([title, document(Buffer.alloc(ten + 1))]))).toEqual([413, 'body_too_large', undefined]);
    await noDrafts();
  });

  test('and its name becomes a header that any client reads', async () => {
    const disposition = async (filename: string) =>
      (await post([title, document('x', filename)])).header('content-disposition');
    expect(await disposition('report.pdf')).toBe('attachment; filename="report.pdf"');
    expect(await disposition('Übersicht 100%.pdf')).toBe(
      'attachment; filename="Ubersicht 100_.pdf"; filename*=UTF-8\'\'%C3%9Cbersicht%20100%25.pdf',
    );
    expect(await disposition('../../etc/pass*wd')).toBe('attachment; filename="pass_wd"');
  });
});

describe('who may not call the method uploads nothing', () => {
  test.each([
    ['a stranger', { token: strangerToken }, [403, 'not_org_member', undefined]],
    ['a bad token', { token: 'f'.repeat(40) }, [401, 'unauthenticated', undefined]],
    ['an unknown organization', { query: 'org=nobody' }, [404, 'not_found', undefined]],
    ['a missing organization', { query: '' }, [400, 'missing_org', 'org']],
  ])('%s', async (_, from, refusal) => {
    const before = chunks;
    expect(refusalOf(await post([document(Buffer.alloc(ten)), title], from))).toEqual(refusal);
    expect(chunks).toBe(before);
  });
});

describe('a form with a document is refused', () => {
  test.each<[string, readonly FormPart[], unknown[]]>([
    ['with two documents', [title, document('x'), document('y')], [422, 'validation_failed', 'document']],
    ['with an empty document', [title, document('')], [422, 'validation_failed', 'document']],
    ['without a required part', [document('x')], [422, 'validation_failed', 'title']],
    ['with a part that is not a number', [title, document('x'), ['name="start"', '1.5']], [422, 'validation_failed', 'start']],
  ])('%s', async (_, parts, refusal) => {
    expect(refusalOf(await post(parts))).toEqual(refusal);
  });

  test('when it ends early, and leaves no file in the folder of drafts', async () => {
    expect(refusalOf(await post([title, document(Buffer.alloc(200_000))], { end: 'none' }))).toEqual([
      422, 'malformed_body', undefined,
    ]);
    await noDrafts();
  });

  test('when JSON names one, and JSON without it is accepted', async () => {
    const json = (body: object) =>
      client.post('/api/v1/documents/7?org=acme', { json: body, headers: { Authorization: `token ${aliceToken}` } });
    expect((await json({ title: 'a', emails: { financeTeam: 'x' } })).json()).toMatchObject({
      form: { emails: { contactPerson: [], financeTeam: ['x'] } },
    });
    expect(refusalOf(await json({ title: 'a', document: { upload: 'x' } }))).toEqual([422, 'validation_failed', 'document']);
  });

  test('a handle of another caller, or an altered one, is not accepted', async () => {
    const context = (id: number) => ({ caller: { id } as never, deadline: deadlineIn(10_000) });
    async function* requests() {
      yield { filename: 'a', contentType: '', chunk: Buffer.from('x') };
    }
    const { upload } = await uploads.receive(requests(), context(1));
    expect(uploads.open(upload, context(1))).toMatchObject({ filename: 'a', size: 1 });
    expect(() => uploads.open(upload, context(2))).toThrow('unknown or has expired');
    const [keyId = '', sealed = ''] = upload.split('.');
    const altered = `${keyId}.${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`;
    expect(() => uploads.open(altered, context(1))).toThrow('unknown or has expired');
    expect(() => uploads.open('nonsense', context(1))).toThrow('unknown or has expired');
  });
});
