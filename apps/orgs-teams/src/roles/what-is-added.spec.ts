import { describe, expect, it } from '@jest/globals';
import {
  catalogue, type GrantedRelation, type Pair, relationsOfPair, relationsOfRight, type TeamPermission,
} from '@platform/relations';
import { addedByRole, addedByTeam } from './what-is-added.ts';

const [first, second, third] = catalogue.map(({ namespace, action }) => ({ namespace, action })) as [Pair, Pair, Pair];
const grantsOf = (...pairs: Pair[]) => pairs.flatMap(({ namespace, action }) => relationsOfPair(namespace, action));
const named = (granted: readonly GrantedRelation[]) => granted.map(({ type, relation }) => `${type}#${relation}`).sort();

describe('what a role adds (open-points 2.7)', () => {
  const none = { permissions: [], teamIds: [] };
  it.each([
    ['a new role adds its pairs', none, { permissions: [first, second], teamIds: [] }, [first, second]],
    ['a pair more adds that pair', { permissions: [first], teamIds: [7] }, { permissions: [first, second], teamIds: [7] }, [second]],
    ['what stands adds nothing', { permissions: [first], teamIds: [7] }, { permissions: [first], teamIds: [7] }, []],
    ['a pair less adds nothing', { permissions: [first, second], teamIds: [7] }, { permissions: [second], teamIds: [7] }, []],
    ['a team less adds nothing', { permissions: [first], teamIds: [7, 8] }, { permissions: [first], teamIds: [8] }, []],
    ['a team more adds all pairs it then has',
      { permissions: [first, third], teamIds: [7] }, { permissions: [first, second], teamIds: [7, 8] }, [first, second]],
    ['a team in the place of another one is a team more',
      { permissions: [first], teamIds: [7] }, { permissions: [first], teamIds: [8] }, [first]],
  ])('%s', (_, before, after, pairs) => {
    expect(named(addedByRole(before, after))).toEqual(named(grantsOf(...pairs)));
  });
});

describe('what a team adds (open-points 2.7)', () => {
  const pairsOf = (roleId: number) => (roleId === 1 ? [first] : [second, third]);
  const state = (permission: TeamPermission, ...roleIds: number[]) => ({ permission, roleIds });
  it.each([
    ['a new team adds its right', { permission: undefined, roleIds: [] }, state('read'), [], 'read'],
    ['a new team adds its roles', { permission: undefined, roleIds: [] }, state('none', 1, 2), [first, second, third], 'none'],
    ['what stands adds nothing', state('admin', 1, 2), state('admin', 1, 2), [], undefined],
    ['a role less adds nothing', state('admin', 1, 2), state('admin', 2), [], undefined],
    ['a role more adds its pairs', state('write', 1), state('write', 1, 2), [second, third], undefined],
    ['another right adds all it gives', state('read', 1), state('write', 1), [], 'write'],
    ['also a lower one', state('admin'), state('write'), [], 'write'],
    ['no right adds nothing', state('admin', 1), state('custom', 1), [], 'custom'],
  ] as const)('%s', (_, before, after, pairs, right) => {
    const expected = [...grantsOf(...pairs), ...(right === undefined ? [] : relationsOfRight(right))];
    expect(named(addedByTeam(before, after, pairsOf))).toEqual(named(expected));
  });

  it('compares nothing for what gives nothing', () => {
    expect(relationsOfRight('none')).toEqual([]);
    expect(relationsOfRight('custom')).toEqual([]);
    expect(relationsOfRight('read').length).toBeGreaterThan(5);
  });
});
