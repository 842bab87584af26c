import { describe, expect, it } from '@jest/globals';
import { reasons } from '@platform/surface';
import fc from 'fast-check';
import { Fault, type ReasonName } from '@platform/faults';
import { decodeFault, encodeFault } from './status.ts';

const names = [...reasons.keys()].filter((name) => name !== 'REASON_UNSPECIFIED') as ReasonName[];

describe('a fault on the wire', () => {
  it('arrives as it was sent', () => {
    const text = fc.string({ unit: 'grapheme' });
    const details = fc.record({
      violations: fc.array(fc.record({ path: text, message: text })),
      // The platform uses only letters in the keys of metadata.
      metadata: fc.dictionary(fc.stringMatching(/^[a-zA-Z]+$/), text),
      retryAfterSeconds: fc.integer({ min: 0, max: 3600 }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...names), text, details, (reason, message, given) => {
        const arrived = decodeFault(encodeFault(new Fault(reason, message, given)));
        expect(arrived).toMatchObject({ reason, message, ...given });
      }),
    );
  });

  it('stays small enough for the headers it travels in, however much of a caller it quotes', () => {
    const long = '👩‍👩‍👧'.repeat(20_000);
    const violations = Array.from({ length: 1_000 }, (_, index) => ({ path: `[${index}].objectID`, message: long }));
    const fault = new Fault('VALIDATION_FAILED', long, { violations, metadata: { name: long, field: 'objectID' } });
    const bytes = encodeFault(fault);
    expect(bytes.length).toBeLessThan(16 * 1024);
    const arrived = decodeFault(bytes);
    expect([arrived?.reason, arrived?.violations[0]?.path]).toEqual(['VALIDATION_FAILED', '[0].objectID']);
  });

  it('never carries its cause', () => {
    const fault = new Fault('INTERNAL', 'internal error', { cause: new Error('password=hunter2') });
    expect(encodeFault(fault).toString('latin1')).not.toContain('hunter2');
  });

  it('is nothing where the bytes are not ours', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => decodeFault(bytes) === undefined));
  });

  it('means an HTTP status for every reason', () => {
    for (const name of names) expect(new Fault(name, '').meaning.httpStatus).toBeGreaterThanOrEqual(400);
  });
});
