import { describe, expect, test } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { type DescMessage, readSurface } from '@platform/surface';
import * as fc from 'fast-check';
import { Fault } from '@platform/faults';
import { arbitraryMessage, canonical } from '../../testdata/arbitrary-message.ts';
import { readTestImage } from '../../testdata/test-image.ts';
import { readWireCodecs } from '../wire-codec.ts';
import { type Message, MessageDecoders } from './decode-message.ts';
import { MessageEncoders } from './encode-message.ts';
import { parseDocument } from './parse-document.ts';
import { documentRoot, Problems } from './problems.ts';

const numRuns = 15;

describe.each([
  ['the product', await readImage()],
  ['the test API', readTestImage()],
])('JSON of every message of %s', (_, image) => {
  const { registry } = readSurface(image);
  const wire = readWireCodecs(registry);
  const encoders = new MessageEncoders();
  const decoders = new MessageDecoders();
  const types = [...registry]
    .filter((type) => type.kind === 'message')
    .filter((type) => type.typeName.startsWith('controlplane.') && !hasDocument(type));

  function toJson(type: DescMessage, message: Message): string {
    return JSON.stringify(encoders.of(type)(message as never));
  }

  /** Returns the message, or the problems of the text. */
  function fromJson(type: DescMessage, text: string): Message | Problems {
    const document = parseDocument(Buffer.from(text));
    if (document instanceof Fault) throw document;
    const problems = new Problems();
    const message = decoders.of(type)(document.value, documentRoot, '', problems) as Message;
    return problems.violations.length > 0 ? problems : message;
  }

  const named = types.map((type) => [type.typeName, type] as const);

  test.each(named)('%s survives the way to JSON and back', (_name, type) => {
    const codec = wire(type);
    fc.assert(
      fc.property(arbitraryMessage(type), (message) => {
        const sent = codec.decode(codec.encode(message));
        const received = fromJson(type, toJson(type, sent));
        expect(received).not.toBeInstanceOf(Problems);
        expect(canonical(type, codec.decode(codec.encode(received as Message)))).toEqual(canonical(type, sent));
      }),
      { numRuns },
    );
  });

  test.each(named)('%s takes any JSON or names the place', (_name, type) => {
    const codec = wire(type);
    fc.assert(
      fc.property(arbitraryDocument(type), (document) => {
        const text = JSON.stringify(document);
        const read = fromJson(type, text);
        if (read instanceof Problems) {
          for (const { path } of read.violations) expect(path === '' || /^[A-Za-z_$[]/.test(path)).toBe(true);
          return;
        }
        const received = codec.decode(codec.encode(read));
        const again = fromJson(type, toJson(type, received));
        expect(again).not.toBeInstanceOf(Problems);
        expect(canonical(type, codec.decode(codec.encode(again as Message)))).toEqual(canonical(type, received));
      }),
      { numRuns },
    );
  });
});

/** Document fields are sent as bytes, never as JSON. */
function hasDocument(type: DescMessage): boolean {
  return type.fields.some(({ message }) => message?.typeName === 'google.api.HttpBody');
}

/** JSON that often resembles the message: the same keys, with values of any type. */
function arbitraryDocument(type: DescMessage): fc.Arbitrary<unknown> {
  const anything = fc.jsonValue({ maxDepth: 4 }).map((value) => withoutBadText(value));
  const likely = fc.oneof(
    anything,
    fc.constantFrom<unknown>(
      null,
      '',
      0,
      1,
      -1,
      true,
      'true',
      [],
      {},
      '5',
      1.5,
      2 ** 53,
      [null],
      [1, 'a'],
      '2026-01-01T00:00:00Z',
    ),
  );
  const members = Object.fromEntries(type.fields.map(({ jsonName }) => [jsonName, likely]));
  return fc.oneof(
    { arbitrary: anything, weight: 1 },
    { arbitrary: fc.record(members, { requiredKeys: [] }), weight: 4 },
  );
}

function withoutBadText(value: unknown): unknown {
  // Escapes are matched as a whole: after an escaped backslash, `u0000` is text.
  return JSON.parse(JSON.stringify(value).replace(/\\(?:(u(?:0000|d[89a-f]..))|.)/g, (escape, bad) => (bad ? '?' : escape)));
}
