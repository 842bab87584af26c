import { describe, expect, it } from '@jest/globals';
import { NewOutage } from './generated/controlplane/billing/v1/outage.ts';
import { Branding } from './generated/controlplane/orgs/v1/settings.ts';
import { Struct } from './generated/google/protobuf/struct.ts';

/** Encodes a length-delimited field: a text or a message. */
function delimited(number: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([number * 8 + 2, content.length]), content]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

describe('decoders', () => {
  it.each([
    [1_780_271_999, 999_999_900, '2026-05-31T23:59:59.999Z'],
    [1_780_271_999, 999_999_999, '2026-05-31T23:59:59.999Z'],
    [1_780_271_999, 0, '2026-05-31T23:59:59.000Z'],
  ])('cut a time of %d s and %d ns to the millisecond', (seconds, nanos, expected) => {
    const time = Buffer.from([8, ...varint(seconds), ...(nanos === 0 ? [] : [16, ...varint(nanos)])]);
    expect(NewOutage.decode(delimited(4, time)).end).toEqual(new Date(expected));
  });

  it('keep the key __proto__ of maps and of free objects', () => {
    const key = Buffer.from('__proto__');
    const favicons = Branding.decode(delimited(2, delimited(1, key), delimited(2, Buffer.from('x')))).favicons;
    expect(Object.entries(favicons)).toEqual([['__proto__', 'x']]);
    const free = JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":"c"}}') as Record<string, unknown>;
    const decoded = Struct.unwrap(Struct.decode(Struct.encode(Struct.wrap(free)).finish()));
    expect(JSON.stringify(decoded)).toBe('{"__proto__":{"a":1},"b":{"__proto__":"c"}}');
    expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
  });
});
