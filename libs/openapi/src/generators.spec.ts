import { describe, expect, test } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { openApiDocument } from './document.ts';
import type { Media, Schema } from './document-types.ts';

const document = openApiDocument(readSurface(await readImage()));
const { schemas } = document.components;
const bodies = Object.values(document.paths).flatMap((item) => Object.values(item)).flatMap(({ operationId, requestBody }) =>
  (requestBody ? [[operationId, requestBody.content] as const] : []));
const forms = bodies.flatMap(([name, content]) =>
  ('multipart/form-data' in content ? [[name, content['multipart/form-data']!] as const] : []));

/** Finds faults at or below a place of the document. Returns JSON pointers. */
function faultsAt(value: unknown, pointer: string, isFault: (schema: Schema) => boolean): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, one]) =>
    (key === 'example' ? [] : faultsAt(one, `${pointer}/${key}`, isFault)));
  return isFault(value as Schema) ? [pointer, ...inside] : inside;
}

/** Cases that generators of clients handle wrongly (ADR 0174). */
describe('the document, for generators of clients', () => {
  test('has no schema with a name that they give to types of their own', () => {
    expect(Object.keys(schemas).filter((name) => /(?:Request|Response|Body|Params)$|^Error$/.test(name))).toEqual([]);
  });

  test('has nothing beside a reference that they ignore', () => {
    const ignored = (schema: Schema) =>
      '$ref' in schema && Object.keys(schema).some((key) => !['$ref', 'description', 'deprecated'].includes(key));
    expect(faultsAt(document, '', ignored)).toEqual([]);
  });

  test('names JSON before a form', () => {
    for (const [name, content] of bodies) {
      const types = Object.keys(content);
      expect([name, types.indexOf('application/json')]).toEqual([name, types.includes('application/json') ? 0 : -1]);
    }
  });

  test('asks for no choice of a list or a value', () => {
    const isChoice = ({ anyOf }: Schema) => (anyOf ?? []).some(({ type }) => type === 'array');
    expect(faultsAt(document, '', isChoice)).toEqual([]);
  });

  test.each(forms)('says how each part of the form of %s is sent', (_name, { schema, encoding = {} }: Media) => {
    const { properties = {} } = schemas[schema.$ref!.slice('#/components/schemas/'.length)]!;
    const sent = Object.entries(properties).map(([name, one]) => {
      const item = one.items ?? one;
      const isMessage = item.$ref !== undefined || item.anyOf?.some(({ $ref }) => $ref !== undefined);
      const isFile = item.contentMediaType !== undefined;
      if (isFile) expect(item.format).toBe('binary');
      if (isFile) return [name, { contentType: 'application/octet-stream' }];
      return [name, isMessage ? { contentType: 'application/json' } : one.items ? { style: 'form', explode: true } : undefined];
    });
    expect(sent.filter(([, how]) => how !== undefined)).toEqual(Object.entries(encoding));
  });
});

test('each code that a refusal may have is in the document', () => {
  const { content, 'x-codes': codes } = document.components.responses['Unauthenticated']!;
  expect([content?.['application/json']?.schema, codes]).toEqual([{ $ref: '#/components/schemas/ApiError' }, ['unauthenticated']]);
});
