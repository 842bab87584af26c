import { describe, expect, it } from '@jest/globals';
import { seeded } from '@platform/testing';
import { lock, lockOrder } from './locks.ts';

describe('the order of locks (authorization.md W1)', () => {
  it('is by table, then ascending', () => {
    const order = lockOrder([
      lock.tokenRemoval(1), lock.membershipRemoval(4, 2), lock.membershipRemoval(4, 1), lock.role(2), lock.team(9),
      lock.teamStays(3), lock.account(7), lock.permission(2),
    ]);
    expect(order.map(({ table, id, userId = 0 }) => `${table} ${id} ${userId}`)).toEqual([
      'account 2 0', 'account 7 0', 'team 3 0', 'team 9 0', 'role 2 0', 'team_member 4 1', 'team_member 4 2',
      'access_token 1 0',
    ]);
  });

  it('has each row once, in the strongest mode asked for', () => {
    expect(lockOrder([lock.permission(5), lock.structure(5), lock.permission(5)])).toEqual([lock.structure(5)]);
    expect(lockOrder([lock.removal(5), lock.structure(5)])).toEqual([lock.removal(5)]);
  });

  it('does not depend on the order in which they are asked for', () => {
    const locks = [
      lock.structure(1), lock.permission(1), lock.account(2), lock.team(1), lock.teamStays(1), lock.role(1),
    ];
    const random = seeded('locks');
    for (let round = 0; round < 50; round += 1) {
      expect(lockOrder(random.shuffle(locks))).toEqual(lockOrder(locks));
    }
  });
});
