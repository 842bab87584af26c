import { describe, expect, it } from '@jest/globals';
import { refuseTooLarge } from './sizes.ts';

/** A manifest whose JSON has 11 bytes more than the text. With its header, it counts 15 bytes more. */
const manifest = (text: string) => ({ data: text });
const refusal = { reason: 'INVALID_VALUE' };

describe('manifests of a spoke', () => {
  it('have at most 500 KiB, as Open Cluster Management counts them', () => {
    const rest = 500 * 1_024 - 15;
    expect(() => refuseTooLarge('one', [manifest('a'.repeat(rest))])).not.toThrow();
    expect(() => refuseTooLarge('one', [manifest('a'.repeat(rest + 1))])).toThrow(expect.objectContaining(refusal));
  });

  it('have a header each', () => {
    // A text of 242 bytes counts 253 bytes of JSON and 3 of the header: 2,000 of them have 500 KiB.
    const many = (bytes: number) => Array.from({ length: 2_000 }, () => manifest('a'.repeat(bytes)));
    expect(() => refuseTooLarge('one', many(242))).not.toThrow();
    expect(() => refuseTooLarge('one', many(243))).toThrow(expect.objectContaining(refusal));
  });

  it.each(['<', '>', '&', '\u2028', '\u2029'])('count six bytes for each %j', (character) => {
    const most = Math.floor((500 * 1_024 - 15) / 6);
    expect(() => refuseTooLarge('one', [manifest(character.repeat(most))])).not.toThrow();
    expect(() => refuseTooLarge('one', [manifest(character.repeat(most + 1))])).toThrow(expect.objectContaining(refusal));
  });

  it('have at most 256 KiB of annotations each', () => {
    const annotated = (bytes: number) => [{ metadata: { annotations: { 'example.org/a': 'a'.repeat(bytes - 13) } } }];
    expect(() => refuseTooLarge('one', annotated(256 * 1_024))).not.toThrow();
    expect(() => refuseTooLarge('one', annotated(256 * 1_024 + 1))).toThrow(expect.objectContaining(refusal));
  });
});
