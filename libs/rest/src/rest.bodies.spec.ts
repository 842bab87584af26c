import { afterAll, describe, expect, test } from '@jest/globals';
import { Fault } from '@platform/faults';
import { http } from '@platform/testing';
import { refusalOf } from '../testdata/refusal.ts';
import { startTestRest } from '../testdata/test-rest.ts';

const usual = await startTestRest({
  handlers: {
    EchoList: ({ items = [] }) => ({
      by_name: (items as { object_type: string }[]).map((value) => ({ key: value.object_type, value })),
    }),
  },
});
const client = http(usual.baseUrl);

afterAll(async () => usual[Symbol.asyncDispose]());

const json = { 'Content-Type': 'application/json' };

function send(body: string | Uint8Array, path = '/api/v1/shapes', headers: Record<string, string> = json) {
  return client.post(path, { body, headers });
}

/** Open-points 1.7: what a body may contain. */
describe('values of a body', () => {
  test.each<[string, object, object]>([
    ['an integer with a zero fraction', { large: 1 }, { large: 1 }],
    [
      'the largest integer',
      { large: 9007199254740991, zigzag: -9007199254740991 },
      { large: 9007199254740991, zigzag: -9007199254740991 },
    ],
    [
      'null on optional members',
      { text: null, maybeText: null, inner: null, texts: null, labels: null, names: null },
      { text: '', texts: [], labels: {} },
    ],
    ['an empty text as a value', { maybeText: '' }, { maybeText: '' }],
    ['false and zero as values', { maybeFlag: false, maybeNumber: 0 }, { maybeFlag: false, maybeNumber: 0 }],
    ['an empty list apart from an absent one', { names: [], nullNames: [] }, { names: [], nullNames: [] }],
    ['an empty map apart from an absent one', { marks: {} }, { marks: {} }],
    ['one value for a list', { oneOrMany: 'a' }, { oneOrMany: ['a'] }],
    ['a list of values for a list', { oneOrMany: ['a', 'b'] }, { oneOrMany: ['a', 'b'] }],
    ['lists of lists', { rows: [['a'], []] }, { rows: [['a'], []] }],
    ['times with offset and fraction', { moment: '2026-02-03T04:05:06.789+01:30' }, { moment: '2026-02-03T02:35:06Z' }],
    [
      'names of enum values',
      { color: 'COLOR_RED', maybeColor: 'COLOR_UNSPECIFIED' },
      { color: 'COLOR_RED', maybeColor: 'COLOR_UNSPECIFIED' },
    ],
    ['bytes in both alphabets', { data: '-_8' }, { data: '+/8=' }],
    [
      'free-form objects with null and numbers',
      { free: { a: null, b: [1.5, { c: false }], '': {} } },
      { free: { a: null, b: [1.5, { c: false }], '': {} } },
    ],
    [
      'free-form values of any kind',
      { anything: [1, 'a'], things: [null, {}] },
      { anything: [1, 'a'], things: [null, {}] },
    ],
    [
      'maps of messages and numbers',
      { innerByName: { a: { count: 1 } }, countByNumber: { '-3': 4 } },
      { innerByName: { a: { text: '', count: 1 } }, countByNumber: { '-3': 4 } },
    ],
    ['one of several members', { right: 5 }, { right: 5 }],
  ])('takes %s', async (_, body, expected) => {
    const answer = await client.post('/api/v1/shapes', { json: body });
    expect([answer.status, answer.json()]).toMatchObject([200, expected]);
  });

  test('keeps keys that every object has apart from members', async () => {
    const answer = await send('{"labels":{"__proto__":"a","constructor":"b"},"free":{"__proto__":{"x":1}}}');
    expect(answer.text).toContain('"labels":{"__proto__":"a","constructor":"b"}');
    expect(answer.text).toContain('"free":{"__proto__":{"x":1}}');
    expect(answer.json<{ constructor: unknown }>().constructor).toBe('');
  });

  test('leaves out what is optional and unset, and shows everything else', async () => {
    const shown = Object.keys((await send('{}')).json<object>());
    expect(shown).toEqual([
      'text',
      'flag',
      'small',
      'large',
      'unsigned_small',
      'unsignedLarge',
      'zigzag',
      'fixed',
      'ratio',
      'single',
      'data',
      'color',
      'texts',
      'numbers',
      'inners',
      'colors',
      'labels',
      'innerByName',
      'countByNumber',
      'nullText',
      'nullInner',
      'nullNames',
      'oneOrMany',
      'moments',
      'values',
      'rows',
      'constructor',
    ]);
  });

  test.each<[string, string, string]>([
    ['a string for an integer', '{"large":"5"}', 'large'],
    ['a fraction', '{"large":1.5}', 'large'],
    ['an integer beyond 2^53-1', '{"large":9007199254740992}', 'large'],
    ['an integer below -(2^53-1)', '{"large":-9007199254740992}', 'large'],
    ['a fraction that a double would lose', '{"large":1.00000000000000000001}', 'large'],
    ['a fraction that would vanish', '{"large":1e-400}', 'large'],
    ['a negative unsigned integer', '{"unsignedLarge":-1}', 'unsignedLarge'],
    ['an integer beyond 32 bits', '{"small":2147483648}', 'small'],
    ['a number beyond a double', '{"ratio":1e400}', 'ratio'],
    ['a free-form integer that a double would change', '{"free":{"a":[9007199254740993]}}', 'free.a[0]'],
    ['a number for a text', '{"text":1}', 'text'],
    ['a text for a flag', '{"flag":"true"}', 'flag'],
    ['a number for an enum', '{"color":1}', 'color'],
    ['an unknown enum value', '{"colors":["COLOR_RED","RED"]}', 'colors[1]'],
    ['a list for an object', '{"inner":[]}', 'inner'],
    ['an object for a list', '{"texts":{}}', 'texts'],
    ['null in a list', '{"texts":["a",null]}', 'texts[1]'],
    ['null in a map', '{"labels":{"a b":null}}', 'labels["a b"]'],
    ['a wrong type deep inside', '{"inners":[{},{"inner":{"count":"1"}}]}', 'inners[1].inner.count'],
    ['a key that is no number', '{"countByNumber":{"01":1}}', 'countByNumber["01"]'],
    ['no calendar day', '{"moment":"2026-02-30T00:00:00Z"}', 'moment'],
    ['a time without offset', '{"moments":["2026-02-03T00:00:00"]}', 'moments[0]'],
    ['broken base64', '{"data":"a"}', 'data'],
    ['two of one choice', '{"left":"a","right":1}', 'right'],
    ['a list as the whole body', '[]', ''],
    ['null as the whole body', 'null', ''],
  ])('refuses %s and says where', async (_, body, path) => {
    expect(refusalOf(await send(body))).toEqual([422, 'validation_failed', path]);
  });

  test.each<[string, string | Buffer]>([
    ['no JSON', '{'],
    ['nothing', ''],
    ['trailing text', '{} x'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['an escaped NUL', '{"text":"\\u0000"}'],
    ['a NUL in an unknown member', '{"unknown":{"a":["\\u0000"]}}'],
    ['a NUL in a key', '{"\\u0000":1}'],
    ['half a character', '{"text":"\\ud800"}'],
    ['half a character in a member that is overwritten', '{"text":"\\uDC00x","text":"a"}'],
    ['65 levels', `{"unknown":${'['.repeat(64)}${']'.repeat(64)}}`],
    ['a million levels', `{"unknown":${'['.repeat(1_000_000)}`],
  ])('refuses %s as a whole', async (_, body) => {
    expect(refusalOf(await send(body))).toEqual([422, 'malformed_body', undefined]);
  });

  test.each<[string, string]>([
    ['64 levels', `{"unknown":${'['.repeat(63)}${']'.repeat(63)}}`],
    ['brackets in texts', `{"text":"${'['.repeat(200)}\\"${'{'.repeat(200)}"}`],
    ['a whole character from two escapes', '{"text":"\\ud83d\\ude00"}'],
    ['an escape that only looks like NUL', '{"text":"\\\\u0000"}'],
    ['unknown members', '{"unknown":{"deep":[1,2]},"TEXT":5}'],
  ])('takes %s', async (_, body) => {
    expect((await send(body)).status).toBe(200);
  });

  test('the last of equal keys counts, and keys are case-sensitive', async () => {
    const answer = await send('{"text":1,"text":"b","Text":"c"}');
    expect(answer.json()).toMatchObject({ text: 'b' });
  });

  test('free-form values nest as deep as a body may', async () => {
    const deep = `${'['.repeat(62)}${']'.repeat(62)}`;
    const answer = await send(`{"things":${deep}}`);
    expect([answer.status, answer.text.includes(`"things":${deep}`)]).toEqual([200, true]);
  });

  test.each<[string, string[]]>([
    ['{}', ['name', 'inner', 'names']],
    ['{"name":null,"inner":{},"names":[]}', ['name']],
    [
      '{"name":"","inner":{},"names":[],"items":[{"objectType":"a","objectID":1},{"objectID":2}]}',
      ['items[1].objectType'],
    ],
    ['{"name":"","inner":{},"names":[],"byName":{"a":{"objectType":null,"objectID":1}}}', ['byName.a.objectType']],
  ])('names what is missing in %s', async (body, paths) => {
    const answer = await send(body, '/api/v1/required/7');
    expect([answer.status, answer.json<{ errors?: { path: string }[] }>().errors?.map(({ path }) => path)]).toEqual([422, paths]);
  });

  test("a path parameter is never taken from the body, and the success status is the method's", async () => {
    const answer = await send('{"id":9,"name":"","inner":{},"names":[]}', '/api/v1/required/7');
    expect([answer.status, answer.json()]).toMatchObject([201, { id: 7, name: '' }]);
  });

  test('a body can be a list, and an answer a map', async () => {
    const items = Array.from({ length: 40 }, (_, index) => ({ objectType: `t${index}`, objectID: index }));
    const answer = await client.post('/api/v1/list', { json: items });
    expect(answer.json<Record<string, unknown>>()['t39']).toEqual({ objectType: 't39', objectID: 39 });
    expect((await client.post('/api/v1/list', { json: [] })).text).toBe('{}');
    const broken = items.map((item, index) => (index === 36 ? { objectID: 1 } : item));
    expect(refusalOf(await client.post('/api/v1/list', { json: broken }))).toEqual([
      422,
      'validation_failed',
      '[36].objectType',
    ]);
  });

  test('a body can be one field beside query parameters', async () => {
    const answer = await client.post('/api/v1/field/a?mode=x&shape=ignored', { json: { text: 'b' } });
    expect(answer.json()).toEqual({ name: 'a', shape: { text: 'b', count: 0 }, mode: 'x' });
    expect((await send('', '/api/v1/field/a')).status).toBe(422);
  });

  test('a body that may be left out may be', async () => {
    expect((await client.put('/api/v1/shapes')).status).toBe(200);
    expect((await client.put('/api/v1/shapes', { json: { text: 'a' } })).json()).toMatchObject({ text: 'a' });
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/merge-patch+json',
    '',
  ])('the content type %p is JSON', async (type) => {
    expect((await send('{}', '/api/v1/shapes', type === '' ? {} : { 'Content-Type': type })).status).toBe(200);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'json',
  ])('the content type %p is 415', async (type) => {
    const answer = await send('{}', '/api/v1/shapes', { 'Content-Type': type });
    expect(refusalOf(answer)).toEqual([415, 'unsupported_media_type', undefined]);
  });

  test('a compressed body is 415', async () => {
    expect((await send('{}', '/api/v1/shapes', { ...json, 'Content-Encoding': 'gzip' })).status).toBe(415);
  });

  test('a body on GET and DELETE is ignored', async () => {
    expect((await client.get('/api/v1/things/a', { body: '{', headers: json })).json()).toEqual({ name: 'a' });
    expect(
      (await client.delete('/api/v1/nothing/1', { body: 'x', headers: { 'Content-Type': 'text/plain' } })).status,
    ).toBe(200);
  });
});

describe('a body of any kind', () => {
  const document = '/api/v1/document';

  test('is refused by its method, which may look at something else first', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<unknown>();
    await using checked = await startTestRest({
      handlers: {
        PutDocument: ({ document: sent }) => {
          resolve(sent);
          throw new Fault('FORBIDDEN', 'this was looked at first');
        },
      },
      limits: { body: 10 },
    });
    const answer = await http(checked.baseUrl).put(document, { body: 'x'.repeat(11) });
    expect([answer.status, await asked]).toEqual([403, null]);
  });

  test('is refused even where its method does not look', async () => {
    await using unchecked = await startTestRest({ limits: { body: 10 } });
    const there = http(unchecked.baseUrl);
    expect((await there.put(document, { body: 'x'.repeat(11) })).status).toBe(413);
    expect((await there.put(document, { body: 'x', headers: { 'Content-Encoding': 'gzip' } })).status).toBe(415);
    expect((await there.put(document, { body: 'x' })).status).toBe(200);
  });
});

test('handlers know the source address of a request, also of one that a server of ours passes on', async () => {
  const sources: string[] = [];
  await using passing = await startTestRest({
    handlers: {
      EchoShapes: (shapes, { sourceAddress }) => {
        sources.push(sourceAddress);
        return shapes;
      },
    },
    serve: { isPassedOn: ({ 'x-ours': mark }) => mark === 'yes' },
  });
  const there = http(passing.baseUrl);
  for (const mark of ['yes', 'no']) {
    const headers = { ...json, 'X-Forwarded-For': '192.0.2.1', 'X-Ours': mark };
    await there.post('/api/v1/shapes', { json: {}, headers });
  }
  expect(sources).toEqual(['192.0.2.1', '127.0.0.1']);
});
