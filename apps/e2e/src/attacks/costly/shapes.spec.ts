import { describe, expect, it } from '@jest/globals';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { RequestReader } from '@platform/proto/request-reader';
import { readSurface } from '@platform/surface';
import { seeded } from '@platform/testing';
import { formFilling } from './form-filling.ts';
import { inChunks } from './in-chunks.ts';
import { jsonBody } from './json-body.ts';
import { mutated, randomShape, type Shape } from './shape.ts';
import { wireFilling } from './wire-filling.ts';

const { methods } = readSurface(await readImage());
const examples = await readExamples();
const shapesPerMethod = 6;
const mostSize = 4_096;
/** Maximum size of a generated body or message, in bytes. It includes the parts around the filling. */
const mostBytes = 8 * mostSize;

function shapesFor(name: string): Shape[] {
  const random = seeded(name);
  return Array.from({ length: shapesPerMethod }, () => {
    const shape = mutated(randomShape(random), random);
    return { ...shape, size: Math.min(shape.size, mostSize) };
  });
}

/** Most of the items are well formed, but not all, and none is too large. */
function expectMostWellFormed<Item extends { readonly length: number }>(
  items: readonly Item[], read: (item: Item) => void,
): void {
  const wellFormed = items.filter((item) => {
    try {
      read(item);
      return true;
    } catch {
      return false;
    }
  });
  expect(Math.max(...items.map(({ length }) => length))).toBeLessThan(mostBytes);
  expect(wellFormed.length / items.length).toBeGreaterThan(0.6);
  expect(wellFormed.length / items.length).toBeLessThan(1);
}

describe('shapes, at every method', () => {
  it('make bodies of about their size, most of which are JSON', () => {
    const bodies = methods.filter(({ http }) => http !== undefined && http.body !== '').flatMap((method) => {
      const { fullName, input, http } = method;
      const field = input.fields.find(({ name }) => name === http!.body);
      const type = field === undefined ? input : field.message;
      return shapesFor(fullName).map((shape) => jsonBody(type, examples.get(fullName)?.body, shape));
    });
    expectMostWellFormed(bodies, (body) => JSON.parse(body));
  });

  it('make bodies in chunks', () => {
    expect(inChunks(Buffer.from('{"a":"é"}'), 4).toString()).toBe('3\r\n{"a\r\n3\r\n":"\r\n3\r\né"\r\n1\r\n}\r\n0\r\n\r\n');
    expect(inChunks(Buffer.from('{}'), 1_000).toString()).toBe('1\r\n{\r\n1\r\n}\r\n0\r\n\r\n');
  });

  it('make messages of about their size, most of which are well formed', () => {
    const messages = methods.flatMap(({ fullName, input }) =>
      shapesFor(fullName).map((shape) => wireFilling(input, shape)));
    expectMostWellFormed(messages, (message) => {
      const reader = new RequestReader(message);
      while (reader.pos < reader.len) {
        const [field, type] = reader.tag();
        reader.skip(type, field);
      }
    });
  });

  it('make forms of about their size', () => {
    const forms = methods.filter(({ rest }) => rest.multipart).flatMap(({ fullName, input }) =>
      shapesFor(fullName).map((shape) => formFilling(input, shape).body.length));
    expect(Math.max(...forms)).toBeLessThan(mostBytes);
    expect(forms.length).toBeGreaterThan(0);
  });
});
