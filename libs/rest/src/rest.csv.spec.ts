import { afterAll, describe, expect, test } from '@jest/globals';
import { Fault } from '@platform/faults';
import { http } from '@platform/testing';
import { startTestRest } from '../testdata/test-rest.ts';

const rows = [
  { name: 'plain', amount: 1.5, flag: true, inner: { text: 'a', count: 7 }, tags: ['x', 'y'], at: { seconds: 0 } },
  { name: '=1+1', amount: -2, inner: { text: '@b' }, labels: [{ key: 'k', value: 'v' }] },
  { name: 'a "quoted", text\nof two lines', amount: 0, flag: false, tags: [] },
];
const lines = [
  'name,amount,flag,inner.text,inner.count,inner.inner,tags,labels,at',
  'plain,1.5,true,a,7,,"[""x"",""y""]",{},1970-01-01T00:00:00Z',
  `'=1+1,-2,,'@b,0,,[],"{""k"":""v""}",`,
  '"a ""quoted"", text\nof two lines",0,false,,,,[],{},',
];
const json = {
  period: { rows: [{ name: 'no row' }] },
  rows: [{ name: 'ä', amount: 0.000001 }, { name: '-x', amount: 3, inner: { text: '', count: 1 } }],
  totals: { rows: [1] },
};

let calls: unknown[] = [];
const usual = await startTestRest({
  handlers: {
    ListRows: ({ name, limit, after }) => {
      calls.push(after);
      if (name === 'nobody') throw new Fault('NOT_FOUND', 'there is no such list');
      if (name === 'cut' && after !== '') throw new Fault('UNAVAILABLE', 'away');
      const size = Number(limit) || 2;
      const begin = Number(after);
      return {
        rows: rows.slice(begin, begin + size), total: rows.length,
        ...(begin + size < rows.length ? { next: String(begin + size) } : {}),
      };
    },
    ListPages: () => ({ items: [3, 4], total: 2 }),
  },
  streams: {
    async *StreamRows({ name }) {
      const bytes = Buffer.from(JSON.stringify(json));
      const end = name === 'cut' ? bytes.length - 20 : bytes.length;
      // The pieces split names, numbers and characters.
      for (let start = 0; start < end; start += 7) {
        yield { content_type: 'application/json', data: bytes.subarray(start, Math.min(end, start + 7)) };
      }
    },
  },
});
const client = http(usual.baseUrl);
const asCsv = { headers: { accept: 'text/csv' } };

afterAll(async () => usual[Symbol.asyncDispose]());

/** Open-points 18.7. */
describe('a list as CSV', () => {
  test.each(['text/csv', 'TEXT/CSV', 'application/json;q=0.5, Text/Csv'])('is asked for by Accept: %s', async (accept) => {
    expect((await client.get('/api/v1/rows/all', { headers: { accept } })).header('content-type')).toMatch(/^text\/csv/);
  });

  test('is the whole list, in parts of the service', async () => {
    calls = [];
    const answer = await client.get('/api/v1/rows/all?format=csv');
    expect(answer.text).toBe(`${lines.join('\r\n')}\r\n`);
    expect([answer.status, answer.header('content-type'), answer.header('content-disposition')]).toEqual([
      200, 'text/csv; charset=utf-8; header=present', 'attachment; filename="rows-all.csv"',
    ]);
    expect([answer.header('x-total-count'), answer.header('vary'), answer.header('link')]).toEqual(['3', 'Accept', undefined]);
    expect(calls).toEqual(['', '2']);
  });

  test('is the page that was asked for', async () => {
    const answer = await client.get('/api/v1/rows/all?page=1&limit=1', asCsv);
    expect(answer.text).toBe(`${lines.slice(0, 2).join('\r\n')}\r\n`);
  });

  test('has one column when its items are values', async () => {
    expect((await client.get('/api/v1/pages?format=csv')).text).toBe('value\r\n3\r\n4\r\n');
  });

  test.each([
    ['text/csv', true],
    ['application/json;q=0.5, text/csv', true],
    ['text/*', true],
    ['text/csv;q=0.1, application/json', false],
    ['text/csv;q=0', false],
    ['text/html, */*', false],
    ['*/*', false],
  ])('Accept: %s asks for it: %s', async (accept, isCsv) => {
    const { header } = await client.get('/api/v1/rows/all', { headers: { accept } });
    expect(header('content-type')?.startsWith('text/csv')).toBe(isCsv);
  });

  test('is preferred by the query', async () => {
    const answer = await client.get('/api/v1/rows/all?format=json', asCsv);
    expect(answer.header('content-type')).toBe('application/json');
  });

  test.each(['format=xml', 'format=', 'format=csv&format=csv'])('%s is refused', async (query) => {
    const answer = await client.get(`/api/v1/rows/all?${query}`);
    expect([answer.status, answer.json<{ errors: { path: string }[] }>().errors[0]!.path]).toEqual([400, 'format']);
  });

  test('refuses as JSON', async () => {
    const answer = await client.get('/api/v1/rows/nobody?format=csv');
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([404, 'not_found']);
  });

  test('is cut when a later part cannot be read', async () => {
    await expect(client.get('/api/v1/rows/cut?format=csv')).rejects.toThrow();
  });

  test('is not offered for a method without rows', async () => {
    const answer = await client.get('/api/v1/things/a?format=csv', asCsv);
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'application/json']);
  });
});

describe('rows of a JSON object as CSV', () => {
  test('are read from its pieces', async () => {
    const answer = await client.get('/api/v1/streamed-rows/all', asCsv);
    expect(answer.text).toBe([
      lines[0], 'ä,0.000001,,,,,,,', `'-x,3,,,1,,,,`, '',
    ].join('\r\n'));
    expect(answer.header('content-disposition')).toBe('attachment; filename="streamed-rows-all.csv"');
  });

  test('are cut when the JSON does not come to its end', async () => {
    await expect(client.get('/api/v1/streamed-rows/cut?format=csv')).rejects.toThrow();
  });
});
