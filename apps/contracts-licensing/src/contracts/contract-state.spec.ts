import { describe, expect, it } from '@jest/globals';
import { stateOf } from './contract-state.ts';

const at = (seconds: number) => new Date(seconds * 1000);

describe('the state of a contract (open-points 5.2)', () => {
  it.each([
    [99, null, 'not started'],
    [100, null, 'active'],
    [199, null, 'active'],
    [200, null, 'expired'],
    [99, 50, 'revoked'],
    [150, 120, 'revoked'],
    [300, 120, 'revoked'],
  ])('at %i, revoked at %s: %s', (now, revoked, state) => {
    const term = { startsAt: at(100), endsAt: at(200), revokedAt: revoked === null ? null : at(revoked) };
    expect(stateOf(term, at(now))).toBe(state);
  });
});
