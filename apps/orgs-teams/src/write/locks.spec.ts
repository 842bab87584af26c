import { expect, it } from '@jest/globals';
import { lock, locks } from './locks.ts';

it('locks accounts first, then teams, roles, memberships and tokens (authorization.md W1)', () => {
  const order = locks.inOrder([
    lock.tokenRemoval(1), lock.membershipRemoval(4, 2), lock.membershipRemoval(4, 1), lock.role(2), lock.team(9),
    lock.teamStays(3), lock.account(7), lock.permission(2),
  ]);
  expect(order.map(({ table, key }) => `${table} ${String(key)}`)).toEqual([
    'account 2', 'account 7', 'team 3', 'team 9', 'role 2', 'team_member 4,1', 'team_member 4,2', 'access_token 1',
  ]);
});
