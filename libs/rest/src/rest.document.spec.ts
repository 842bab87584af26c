import { afterAll, describe, expect, test } from '@jest/globals';
import { openApiDocument } from '@platform/openapi';
import { http } from '@platform/testing';
import { documentCheck } from '@platform/testing/document-check';
import * as fc from 'fast-check';
import { startTestRest, testSurface } from '../testdata/test-rest.ts';

const running = await startTestRest({ handlers: { EchoList: () => ({}) } });
const document = openApiDocument(testSurface);
const check = documentCheck(document);
const client = http(running.baseUrl, (verb, path, answer) => check.demand(verb, path, answer));

afterAll(async () => running[Symbol.asyncDispose]());

describe('the OpenAPI document', () => {
  test('has every route and no other', () => {
    // Parameters have JSON names in the document, and proto names in the surface.
    const shapeOf = (path: string) => path.replace(/(.)\/$/, '$1').replaceAll(/\{[^}]+\}/g, '{}');
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((verb) => `${verb.toUpperCase()} ${shapeOf(path)}`),
    );
    const bound = testSurface.methods.flatMap(({ http: binding }) => {
      return binding ? [`${binding.verb} ${shapeOf(binding.template)}`] : [];
    });
    expect(documented.sort()).toEqual(bound.sort());
  });

  test('names parameters of a path as refusals and bodies do', () => {
    const operation = document.paths['/api/v1/authz/objects/{objectType}/{objectID}/allowed-permissions']?.get;
    expect(operation?.parameters?.map(({ name }) => name)).toEqual(['objectType', 'objectID', 'org']);
  });
});

/** Values of every kind. Each value is valid for some types and invalid for other types. */
const anything = fc.constantFrom<unknown>(
  ...[null, true, false, 0, 1, 1.5, -1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e39, 1e300],
  ...['', 'x', '5', 'true', 'aGk=', 'COLOR_RED', 'COLOR_GREEN', '2026-11-21T09:30:00Z', '2026-11-21'],
  ...[[], ['x'], [1], [null], [1.5], ['COLOR_BLUE'], [[]], [['x']], [{}], [{ text: 1 }]],
  ...[{}, { a: 'x' }, { a: 1 }, { 7: 1 }, { 7: 'x' }, { a: null }, { a: {} }, { text: 'x', count: 1 }, { text: 1 }],
  ...[{ objectType: 'x', objectID: 1 }, { objectType: 'x' }, [{ objectType: 'x', objectID: 1 }]],
  ...[{ inner: { inner: 3 } }],
  ...[{ a: { objectType: 'x', objectID: 1 } }, [{ objectType: 'x', objectID: null }]],
);

/**
 * Rules that the schema language of the document cannot express, or expresses in words only: the exact form of base64,
 * the range of floats, that a oneof has at most one member, and that a single value may stand for a list.
 */
const saidInWords = new Set(['data', 'single', 'left', 'right', 'one_or_many']);

function bodyOf(name: string): fc.Arbitrary<unknown> {
  const { input } = testSurface.methods.find((method) => method.name === name)!;
  const fields = input.fields.filter((field) => !saidInWords.has(field.name));
  return fc.oneof(
    { weight: 1, arbitrary: anything },
    {
      weight: 20,
      arbitrary: fc
        .subarray(fields, { maxLength: 4 })
        .chain((some) => fc.record(Object.fromEntries(some.map(({ jsonName }) => [jsonName, anything])))),
    },
  );
}

describe('a body', () => {
  test.each([
    ['EchoShapes', 'POST', '/api/v1/shapes', bodyOf('EchoShapes')],
    ['EchoRequired', 'POST', '/api/v1/required/1', bodyOf('EchoRequired')],
    ['EchoList', 'POST', '/api/v1/list', anything],
    ['EchoField', 'POST', '/api/v1/field/a', anything],
  ])('of %s is taken where the document takes it, and refused elsewhere', async (_name, verb, path, bodies) => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const answer = await client.send(verb, path, { json: body });
        expect([body, answer.status !== 422]).toEqual([body, check.acceptsBody(verb, path, body)]);
      }),
      { numRuns: 300 },
    );
  });
});
