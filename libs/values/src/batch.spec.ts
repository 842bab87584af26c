import { describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { noteDuplicates, refuseTooMany } from './batch.ts';
import { invalidValue } from './faults.ts';
import { Violations } from './violations.ts';

describe('a batch', () => {
  it('has a largest length', () => {
    expect(() => refuseTooMany('teams', Array.from({ length: 1_000 }))).not.toThrow();
    expect(refusalOf(() => refuseTooMany('teams', Array.from({ length: 1_001 })))).toMatchObject({
      reason: 'TOO_MANY_ITEMS', violations: [{ path: 'teams' }],
    });
  });

  it('names each repeated key, ignoring case', () => {
    const violations = new Violations();
    noteDuplicates(violations, ['a', 'b', 'A', 'c', 'a'], (index) => `teams[${index}].name`);
    expect(violations.list.map(({ path }) => path)).toEqual(['teams[2].name', 'teams[4].name']);
  });
});

describe('violations', () => {
  it('refuse with all that was noted, or not at all', () => {
    const violations = new Violations();
    violations.note('name', undefined);
    expect(() => violations.refuse()).not.toThrow();
    violations.note('name', 'must not be empty');
    violations.note('email', 'must be an e-mail address');
    expect(refusalOf(() => violations.refuse())).toMatchObject({ reason: 'VALIDATION_FAILED', violations: violations.list });
    expect(refusalOf(() => violations.refuse(invalidValue))).toMatchObject({ reason: 'INVALID_VALUE' });
  });
});

function refusalOf(act: () => unknown): Fault {
  try {
    act();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
