import { afterAll, describe, expect, test } from '@jest/globals';
import { http } from '@platform/testing';
import { refusalOf } from '../testdata/refusal.ts';
import { startTestRest } from '../testdata/test-rest.ts';

const usual = await startTestRest();
const client = http(usual.baseUrl);

afterAll(async () => usual[Symbol.asyncDispose]());

/** Open-points 1.7: what a path and a query may contain. */
describe('values of parameters', () => {
  test.each(['0', '-1', '01', '1.0', '9007199254740992', '99999999999999999', 'a', '%31x', '+1'])(
    'the path id %s is 400',
    async (id) => {
      expect(refusalOf(await client.delete(`/api/v1/nothing/${id}`))).toEqual([400, 'invalid_parameter', 'id']);
    },
  );

  test.each(['1', '9007199254740991', '%31'])('the path id %s is one', async (id) => {
    const answer = await client.delete(`/api/v1/nothing/${id}`);
    expect([answer.status, answer.text, answer.header('content-length'), answer.header('content-type')]).toEqual([
      200,
      '',
      '0',
      undefined,
    ]);
  });

  test.each<[string, object]>([
    ['flag=TRUE', { flag: true }],
    ['flag=0', { flag: false }],
    ['text=', { text: '' }],
    ['text=a+b%20c', { text: 'a b c' }],
    ['number=12', { number: 12 }],
    ['ratio=-1.5e3', { ratio: -1500 }],
    ['color=COLOR_BLUE', { color: 'COLOR_BLUE' }],
    ['moment=2026-01-01T00:00:00%2B01:00', { moment: '2025-12-31T23:00:00Z' }],
    ['texts=a&texts=', { texts: ['a', ''] }],
    ['numbers=1&numbers=2', { numbers: [1, 2] }],
    ['maybeNumbers=3', { maybeNumbers: [3] }],
    ['unknown=1&unknown=2&&=', { texts: [] }],
  ])('the query %s is taken', async (query, expected) => {
    const answer = await client.get(`/api/v1/query?${query}`);
    expect([answer.status, answer.json()]).toMatchObject([200, expected]);
  });

  test.each<[string, string | undefined]>([
    ['flag=yes', 'flag'],
    ['flag=', 'flag'],
    ['flag', 'flag'],
    ['number=', 'number'],
    ['number=0', 'number'],
    ['number=1.0', 'number'],
    ['number=9007199254740992', 'number'],
    ['ratio=', 'ratio'],
    ['ratio=Infinity', 'ratio'],
    ['color=RED', 'color'],
    ['numbers=1&numbers=a', 'numbers'],
    ['text=a&text=a', 'text'],
    ['text=%zz', 'text'],
    ['text=%ff', 'text'],
    ['text=%00', 'text'],
    ['unknown=%zz', undefined],
    ['%ff=1', undefined],
  ])('the query %s is 400', async (query, path) => {
    expect(refusalOf(await client.get(`/api/v1/query?${query}`))).toEqual([400, 'invalid_parameter', path]);
  });
});
