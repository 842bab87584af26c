import { describe, expect, it } from '@jest/globals';
import { leavesNoAdmin } from './people.ts';

const admin = { isAdmin: true, active: true, prohibitLogin: false };

describe('the last site admin (open-points 1.10)', () => {
  it.each([
    ['loses the flag', admin, { ...admin, isAdmin: false }, 0, true],
    ['is made inactive', admin, { ...admin, active: false }, 0, true],
    ['is prohibited', admin, { ...admin, prohibitLogin: true }, 0, true],
    ['goes', admin, undefined, 0, true],
    ['stays as it is', admin, admin, 0, false],
    ['goes while there is another', admin, undefined, 1, false],
    ['loses the flag while there is another', admin, { ...admin, isAdmin: false }, 1, false],
    ['could not sign in anyway', { ...admin, active: false }, undefined, 0, false],
    ['was not an admin before', { ...admin, isAdmin: false }, undefined, 0, false],
  ])('%s', (_what, before, after, others, expected) => {
    expect(leavesNoAdmin(before, after, others)).toBe(expected);
  });
});
