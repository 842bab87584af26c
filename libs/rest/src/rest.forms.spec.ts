import { afterAll, describe, expect, test } from '@jest/globals';
import { http } from '@platform/testing';
import { startTestRest } from '../testdata/test-rest.ts';

const usual = await startTestRest({ handlers: { PostForm: (form) => ({ form }), PostFormOnly: (form) => ({ form }) } });
const client = http(usual.baseUrl);

afterAll(async () => usual[Symbol.asyncDispose]());

/** Multipart forms (platform.rest.multipart). */
describe('forms', () => {
  function form(parts: [disposition: string, content: string | Buffer, type?: string][], end = '--x--\r\n') {
    const chunks = parts.flatMap(([disposition, content, type]) => [
      `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
      content,
      '\r\n',
    ]);
    const body = Buffer.concat([...chunks, end].map((chunk) => Buffer.from(chunk as string)));
    return client.post('/api/v1/form', { body, headers: { 'Content-Type': 'multipart/form-data; boundary=x' } });
  }

  test('parts become fields, files and lists', async () => {
    const answer = await form([
      ['name="title"', 'ä'],
      ['name="number"', '12'],
      ['name="flag"', 'true'],
      ['name="tags"', 'a'],
      ['name="tags"', 'b'],
      ['name="maybeTags"', '["c"]', 'application/json'],
      ['name="inner"', '{"count":1}'],
      ['name="document"; filename="a.pdf"', Buffer.from([0, 255]), 'application/pdf'],
      ['name="pictures"; filename="1"', 'x', 'image/png'],
      ['name="pictures"; filename="2"', 'y', 'image/png'],
      ['name="color"', 'COLOR_BLUE'],
      ['name="unknown"', '\xff'],
    ]);
    expect([answer.status, answer.json()]).toEqual([
      200,
      {
        form: {
          title: 'ä',
          number: 12,
          flag: true,
          tags: ['a', 'b'],
          maybeTags: ['c'],
          inner: { text: '', count: 1 },
          document: { filename: 'a.pdf', contentType: 'application/pdf', content: 'AP8=' },
          pictures: [
            { filename: '1', contentType: 'image/png', content: 'eA==' },
            { filename: '2', contentType: 'image/png', content: 'eQ==' },
          ],
          color: 'COLOR_BLUE',
        },
      },
    ]);
  });

  test.each<[string, [string, string | Buffer][], string]>([
    [
      'a text that is no number',
      [
        ['name="title"', 'a'],
        ['name="number"', 'x'],
      ],
      'number',
    ],
    [
      'a message that is no JSON',
      [
        ['name="title"', 'a'],
        ['name="inner"', '{'],
      ],
      'inner',
    ],
    [
      'a wrong type in a JSON part',
      [
        ['name="title"', 'a'],
        ['name="inner"', '{"count":"1"}'],
      ],
      'inner.count',
    ],
    [
      'a single part twice',
      [
        ['name="title"', 'a'],
        ['name="title"', 'b'],
      ],
      'title',
    ],
    ['a missing part', [['name="number"', '1']], 'title'],
  ])('%s is 422', async (_, parts, path) => {
    const answer = await form(parts);
    expect([answer.status, answer.json<{ errors: { path: string }[] }>().errors[0]!.path]).toEqual([422, path]);
  });

  test('a form that ends early, without boundary or with broken text is 422', async () => {
    expect((await form([['name="title"', 'a']], '')).status).toBe(422);
    expect((await form([['name="title"', Buffer.from([0xff])]])).status).toBe(422);
    const headers = { 'Content-Type': 'multipart/form-data' };
    expect((await client.post('/api/v1/form', { body: 'x', headers })).status).toBe(422);
  });

  test('a file beyond 10 MiB and a form beyond 12 MiB are 413', async () => {
    const file = (size: number) =>
      form([
        ['name="title"', 'a'],
        ['name="document"; filename="a"', Buffer.alloc(size)],
      ]);
    expect((await file(10 * 1024 * 1024)).status).toBe(200);
    expect((await file(10 * 1024 * 1024 + 1)).status).toBe(413);
    expect((await file(12 * 1024 * 1024)).status).toBe(413);
  });

  test('JSON with the same fields is taken too, any other type is not', async () => {
    expect((await client.post('/api/v1/form', { json: { title: 'a', document: { content: 'AA==' } } })).status).toBe(
      200,
    );
    expect((await client.post('/api/v1/form', { body: 'a', headers: { 'Content-Type': 'text/plain' } })).status).toBe(
      415,
    );
  });

  test('where only a form is taken, anything else is 415', async () => {
    const only = (body: string, type?: string) =>
      client.post('/api/v1/form-only', { body, ...(type === undefined ? {} : { headers: { 'Content-Type': type } }) });
    const form = '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\na\r\n--x--\r\n';
    expect((await only(form, 'multipart/form-data; boundary=x')).status).toBe(200);
    expect((await only('{"title":"a"}', 'application/json')).status).toBe(415);
    expect((await only('{"title":"a"}')).status).toBe(415);
    expect((await only('')).status).toBe(415);
    expect((await only('', 'multipart/form-data; boundary=x')).status).toBe(422);
    expect((await only(form, 'multipart/mixed; boundary=x')).status).toBe(415);
  });
});
