import { afterAll, expect, test } from '@jest/globals';
import { openApiDocument } from '@platform/openapi';
import { parseTemplate } from '@platform/surface';
import { http } from '@platform/testing';
import { documentCheck } from '@platform/testing/document-check';
import * as fc from 'fast-check';
import { startTestRest, testSurface } from '../testdata/test-rest.ts';
import { aliceToken } from '../testdata/test-service.ts';

const usual = await startTestRest({
  handlers: { EchoList: () => ({}), PostForm: (form) => ({ form }), Wait: () => ({}) },
  streams: {
    async *StreamRows() {
      yield { content_type: 'application/json', data: Buffer.from('{"rows":[]}') };
    },
    async *StreamDocument () {
      yield { body: { content_type: 'text/plain', data: Buffer.from('text') }, filename: 'a.txt', size: 4 };
    },
    UploadDocument: async (requests) => {
      for await (const _ of requests);
      return { upload: 'u', size: 0 };
    },
  },
});
const check = documentCheck(openApiDocument(testSurface));
const client = http(usual.baseUrl, (verb, path, answer) => check.demand(verb, path, answer));

afterAll(async () => usual[Symbol.asyncDispose]());

const bound = testSurface.methods.filter(
  ({ http: binding, hosts, name }) => binding && hosts.includes('test') && name !== 'Refuse',
);
const segment = fc.oneof(
  fc.constantFrom('1', 'a', 'claim', '%2F', '%zz', '%00', '..', '9007199254740993'),
  fc.string({ unit: 'grapheme', maxLength: 6 }).map(encodeURIComponent),
);
const octets = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
const json = fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text));
const contentType = fc.constantFrom(
  'application/json',
  'text/plain',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  '',
  'a/b+json',
);

/** A request that resembles a call of the method: its path, parameters and body may hold anything. */
const request = fc.constantFrom(...bound).chain((method) => {
  const { segments } = parseTemplate(method.http!.template);
  const path = fc.tuple(...segments.map((part) => (part.kind === 'fixed' ? fc.constant(part.text) : segment)));
  const names = [...method.input.fields.map(({ jsonName }) => jsonName), 'unknown', 'token'];
  const query = fc.array(fc.tuple(fc.constantFrom(...names), segment), { maxLength: 3 });
  const members = Object.fromEntries(
    method.input.fields.map(({ jsonName }) => [jsonName, fc.jsonValue({ maxDepth: 3 })]),
  );
  const likely = fc.record(members, { requiredKeys: [] }).map((value) => Buffer.from(JSON.stringify(value)));
  return fc.record({
    verb: fc.constant(method.http!.verb),
    target: fc.tuple(path, query).map(([parts, pairs]) => {
      const search = pairs.map(([name, value]) => `${name}=${value}`).join('&');
      return `/${parts.join('/')}${search === '' ? '' : `?${search}`}`;
    }),
    body: fc.oneof(octets, json, likely),
    type: contentType,
    isKnown: fc.boolean(),
  });
});

/** The rest of a path may be empty. */
const emptyRest = { verb: 'GET', target: '/api/v1/rest/', body: Buffer.from(''), type: '', isKnown: false } as const;

test('the answer to any request is a success or a refusal with its body', async () => {
  await fc.assert(
    fc.asyncProperty(request, async ({ verb, target, body, type, isKnown }) => {
      const headers = {
        ...(type === '' ? {} : { 'Content-Type': type }),
        ...(isKnown ? { Authorization: `token ${aliceToken}` } : {}),
      };
      const answer = await client.send(verb, target, { body, headers });
      expect(answer.status).toBeLessThan(500);
      expect(answer.header('x-request-id')).toBeDefined();
      if (answer.status >= 400 && answer.text !== '{"message":"Not Found"}') {
        expect(Object.keys(answer.json<object>()).slice(0, 4)).toEqual(['message', 'url', 'code', 'requestId']);
      }
    }),
    { numRuns: 400, examples: [[emptyRest]] },
  );
});
