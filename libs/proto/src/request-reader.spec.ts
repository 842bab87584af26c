import { describe, expect, it } from '@jest/globals';
import { GetStandingRequest } from './generated/controlplane/orgs/v1/identity.ts';
import { Branding, UpdateBrandingRequest } from './generated/controlplane/orgs/v1/settings.ts';
import { RequestReader } from './request-reader.ts';

/** Encodes a length-delimited field: a text or a message. */
function delimited(number: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([number * 8 + 2, content.length]), content]);
}

/** The places that can hold a text. Each function returns a request that has the text at this place. */
const places: Record<string, (text: Uint8Array) => Buffer> = {
  'a text': (text) => delimited(1, text),
  'a list': (text) => Buffer.concat([delimited(2, Buffer.from('good')), delimited(2, text)]),
  'a key of a map': (text) => delimited(2, delimited(1, text), delimited(2, Buffer.from('good'))),
  'a value of a map': (text) => delimited(2, delimited(1, Buffer.from('good')), delimited(2, text)),
  'a message in a message': (text) => delimited(2, delimited(3, text)),
};
const decoders: Record<string, (reader: RequestReader) => unknown> = {
  'a text': (reader) => GetStandingRequest.decode(reader),
  'a list': (reader) => GetStandingRequest.decode(reader),
  'a key of a map': (reader) => Branding.decode(reader),
  'a value of a map': (reader) => Branding.decode(reader),
  'a message in a message': (reader) => UpdateBrandingRequest.decode(reader),
};

function hasBadText(place: string, text: Uint8Array): boolean {
  const request = places[place]!(text);
  const reader = new RequestReader(request);
  decoders[place]!(reader);
  expect(reader.pos).toBe(request.length);
  return reader.hasBadText;
}

describe.each(Object.keys(places))('in %s', (place) => {
  it.each<[string, Uint8Array]>([
    ['half of a surrogate pair', Buffer.from([0xed, 0xa0, 0x80])],
    ['a byte that begins nothing', Buffer.from([0x61, 0xff])],
    ['a character cut off', Buffer.from([0xe2, 0x82])],
    ['an overlong form', Buffer.from([0xc0, 0xaf])],
    ['NUL', Buffer.from('a\0b')],
    ['NUL, far behind', Buffer.from(`${'x'.repeat(100)}\0`)],
  ])('%s is noted, and what follows is read', (_, text) => {
    expect(hasBadText(place, text)).toBe(true);
  });

  it.each(['', 'plain', 'Zürich 👩‍👩‍👧', 'the mark \ufffd itself', '\ufeffat the beginning'])('%j is a text', (text) => {
    expect(hasBadText(place, Buffer.from(text))).toBe(false);
  });
});

it('texts are what the plain reader reads', () => {
  const request = { token: '\ufeffé\ufffd', slugs: ['', 'a\0b', 'x'.repeat(5_000)], organizationIds: [7] };
  const bytes = GetStandingRequest.encode(request).finish();
  expect(GetStandingRequest.decode(new RequestReader(bytes))).toEqual(request);
});
