import { afterAll, describe, expect, test } from '@jest/globals';
import { http } from '@platform/testing';
import { formOf, type FormPart } from '../testdata/form-of.ts';
import { refusalOf } from '../testdata/refusal.ts';
import { startTestRest } from '../testdata/test-rest.ts';
import { aliceToken } from '../testdata/test-service.ts';

const usual = await startTestRest({ handlers: { PostForm: (form) => ({ form }), PostFormOnly: (form) => ({ form }) } });
const client = http(usual.baseUrl);

afterAll(async () => usual[Symbol.asyncDispose]());

/** Multipart forms (controlplane.rest.multipart). */
describe('forms', () => {
  function form(parts: readonly FormPart[], end = '') {
    return client.post('/api/v1/form', formOf(parts, end));
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
          document: { filename: 'a.pdf', contentType: 'application/pdf', content: 'AP8=', size: 0, upload: '' },
          pictures: [
            { filename: '1', contentType: 'image/png', content: 'eA==', size: 0, upload: '' },
            { filename: '2', contentType: 'image/png', content: 'eQ==', size: 0, upload: '' },
          ],
          color: 'COLOR_BLUE',
        },
      },
    ]);
  });

  test('a part with a file name, such as a Blob of a browser, is read as its field asks', async () => {
    const answer = await form([
      ['name="title"; filename="blob"', 'ä', 'text/plain'],
      ['name="tags"; filename="blob"', 'a'.repeat(100_000), 'application/octet-stream'],
      ['name="tags"', 'b'],
      ['name="number"', '1', 'application/octet-stream'],
      ['name="inner"; filename="e.json"', '{"count":1}', 'application/json'],
    ]);
    expect([answer.status, answer.json()]).toEqual([200, { form: expect.objectContaining({
      title: 'ä', tags: ['a'.repeat(100_000), 'b'], number: 1, inner: { text: '', count: 1 },
    }) }]);
  });

  test.each<[string, FormPart, string]>([
    ['a text', ['name="document"', 'ä'], 'text/plain'],
    ['bytes of no name', ['name="document"', 'ä', 'application/octet-stream'], 'application/octet-stream'],
    ['a file named .', ['name="document"; filename="."', 'ä', 'application/pdf'], 'application/pdf'],
    ['a file named ..', ['name="document"; filename="a/.."', 'ä', 'application/pdf'], 'application/pdf'],
  ])('%s is a file without a name', async (_, part, contentType) => {
    const answer = await form([['name="title"', 'a'], part]);
    expect([answer.status, answer.json<{ form: object }>().form]).toEqual([200, expect.objectContaining({
      document: { filename: '', contentType, content: 'w6Q=', size: 0, upload: '' },
    })]);
  });

  test.each<[string, FormPart[], string]>([
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
    expect((await form([['name="title"', 'a']], '\r\n')).status).toBe(422);
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

  test('texts beyond 2 MiB together, as much as JSON may have, are 413', async () => {
    const texts = (...sizes: number[]) =>
      form([['name="title"', 'a'], ...sizes.map((size): FormPart => ['name="tags"', 'x'.repeat(size)])]);
    expect((await texts(1024 * 1024, 1024 * 1024 - 1)).status).toBe(200);
    expect((await texts(1024 * 1024, 1024 * 1024)).status).toBe(413);
    expect((await texts(2 * 1024 * 1024)).status).toBe(413);
    expect((await texts(5 * 1024 * 1024)).status).toBe(413);
    const named: FormPart = ['name="tags"; filename="a"', 'x'.repeat(2 * 1024 * 1024)];
    expect((await form([['name="title"', 'a'], named])).status).toBe(413);
  });

  test('JSON of more than 20,000 values is refused, in a body and in a part', async () => {
    const list = (values: number) => `["x"${',"x"'.repeat(values - 1)}]`;
    const json = async (values: number) => {
      const body = `{"title":"a","tags":${list(values)}}`;
      return (await client.post('/api/v1/form', { body, headers: { 'Content-Type': 'application/json' } })).status;
    };
    expect(await json(19_999)).toBe(200);
    expect(await json(20_000)).toBe(413);
    const part = async (values: number) =>
      (await form([['name="title"', 'a'], ['name="tags"', list(values)]])).status;
    expect(await part(20_000)).toBe(200);
    expect(await part(20_001)).toBe(422);
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

/** Open-points 5.1 and 5.7. */
describe('a form with flattened messages', () => {
  const title: FormPart = ['name="title"', 'a'];
  const post = (parts: readonly FormPart[]) => {
    const { body, headers } = formOf([title, ...parts]);
    const path = '/api/v1/documents/7?org=acme';
    return client.post(path, { body, headers: { ...headers, Authorization: `token ${aliceToken}` } });
  };
  const formIn = async (parts: readonly FormPart[]) => (await post(parts)).json<{ form: object }>().form;
  const quota = { thresholds: [] };

  test.each<[string, FormPart[], object]>([
    ['one part with JSON', [['name="emails"', '{"contactPerson":["a"]}']], { emails: { contactPerson: ['a'], financeTeam: [] } }],
    ['names with brackets', [['name="quota[limit]"', '1e3'], ['name="quota[enabled]"', '1']], { quota: { ...quota, limit: 1000, enabled: true } }],
    ['flat names', [['name="limit"', '2.5'], ['name="enabled"', 'FALSE']], { quota: { ...quota, limit: 2.5, enabled: false } }],
    ['repeated parts', [['name="thresholds"', '50'], ['name="thresholds"', '1e2']], { quota: { thresholds: [50, 100] } }],
    ['a JSON array', [['name="thresholds"', ' [50, 80]']], { quota: { thresholds: [50, 80] } }],
    ['one value for a list', [['name="financeTeam"', 'x@y']], { emails: { contactPerson: [], financeTeam: ['x@y'] } }],
    ['a list of messages', [['name="clusters"', '[{"text":"a"},{"count":2}]']], { clusters: [{ text: 'a', count: 0 }, { text: '', count: 2 }] }],
    ['integers as JSON writes them', [['name="start"', '1.0']], { start: 1 }],
    ['unknown parts', [['name="quota[other]"', 'x'], ['name="other"; filename="x"', 'x'], ['name="__proto__"', 'x']], {}],
    ['no chosen file', [['name="document"', ''], ['name="document"; filename=""', '', 'application/octet-stream']], {}],
    ['a message in each part', [['name="clusters"', '{"text":"a"}'], ['name="clusters"', '{}']], { clusters: [expect.anything(), { text: '', count: 0 }] }],
    ['one message for a list', [['name="clusters"', '{"count":2}']], { clusters: [{ text: '', count: 2 }] }],
  ])('takes %s', async (_, parts, expected) => {
    const { title: _title, products: _products, ...shown } = (await formIn(parts)) as Record<string, unknown>;
    expect(shown).toEqual({ clusters: [], ...expected });
  });

  test('a flat part wins over brackets, and brackets over JSON, in any order', async () => {
    const json: FormPart = ['name="quota"', '{"limit":1,"enabled":true,"thresholds":[1]}'];
    const bracket: FormPart = ['name="quota[limit]"', '2'];
    const flat: FormPart = ['name="limit"', '3'];
    for (const parts of [[json, bracket, flat], [flat, bracket, json]]) {
      expect(await formIn(parts)).toMatchObject({ quota: { limit: 3, enabled: true, thresholds: [1] } });
    }
    expect(await formIn([bracket, json])).toMatchObject({ quota: { limit: 2, enabled: true } });
  });

  test.each<[string, FormPart[], string]>([
    ['a flat part twice', [['name="limit"', '1'], ['name="limit"', '1']], 'quota.limit'],
    ['a JSON part twice', [['name="emails"', '{}'], ['name="emails"', '{}']], 'emails'],
    ['a text that is not a number', [['name="quota[limit]"', 'many']], 'quota.limit'],
    ['a text that is not a boolean', [['name="enabled"', 'yes']], 'quota.enabled'],
    ['an invalid number in a list', [['name="thresholds"', '1'], ['name="thresholds"', 'x']], 'quota.thresholds[1]'],
    ['an integer that would be rounded', [['name="start"', '9007199254740993']], 'start'],
    ['a fraction for an integer', [['name="start"', '0.5']], 'start'],
    ['JSON of the wrong type', [['name="emails"', '[]']], 'emails'],
    ['a text with a file name that is not UTF-8', [['name="contactPerson"; filename="a"', Buffer.from([0xff])]], 'emails.contactPerson'],
    ['two items in one part', [['name="clusters"', '{},{}']], 'clusters'],
    ['an item of the wrong type', [['name="clusters"', '{}'], ['name="clusters"', '{"count":"1"}']], 'clusters[1].count'],
    ['bytes without a file name', [['name="document"', Buffer.from([0xff])]], 'document'],
    ['NUL', [['name="contactPerson"', 'a\0']], 'emails.contactPerson'],
  ])('%s is 422', async (_, parts, path) => {
    expect(refusalOf(await post(parts))).toEqual([422, 'validation_failed', path]);
  });

  test('1000 parts are taken, one more is 413', async () => {
    const parts = (count: number) => Array.from({ length: count }, (): FormPart => ['name="products"', 'x']);
    expect((await post(parts(999))).status).toBe(200);
    expect(refusalOf(await post(parts(1000)))).toEqual([413, 'body_too_large', undefined]);
  });
});
