import { describe, expect, it } from '@jest/globals';
import { catalogue } from './catalogue.ts';
import { grantableClasses, relationsOfPair, relationsOfRight } from './grants.ts';

const named = (granted: ReturnType<typeof relationsOfRight>) => granted.map(({ type, relation }) => `${type}#${relation}`);

describe('what a built-in right gives, for the escalation rule', () => {
  it('grows from right to right', () => {
    const [none, custom, read, write, admin, owner] = (['none', 'custom', 'read', 'write', 'admin', 'owner'] as const)
      .map((permission) => new Set(named(relationsOfRight(permission))));
    expect(none!.size).toBe(0);
    expect(custom!.size).toBe(0);
    expect(read!.isSubsetOf(write!) && write!.isSubsetOf(admin!) && admin!.isSubsetOf(owner!)).toBe(true);
    expect(read!.has('cluster#can_view')).toBe(true);
    expect(read!.has('cluster#can_edit')).toBe(false);
    expect(write!.has('cluster#can_edit')).toBe(true);
    expect(write!.has('team#can_add_member')).toBe(false);
  });

  it('compares only what some pair grants', () => {
    const grantable = new Set(catalogue.flatMap(({ namespace, action }) => named(relationsOfPair(namespace, action))));
    expect(new Set(named(relationsOfRight('owner')))).toEqual(grantable);
    expect(grantable.has('organization#can_delete')).toBe(false);
  });

  it('says on which classes to ask', () => {
    const classes = new Set(relationsOfRight('owner').map(({ objectClass }) => objectClass));
    expect(classes).toEqual(new Set(grantableClasses));
  });

  it('grants nothing for an unknown pair', () => {
    expect(relationsOfPair('team_mgmt', 'fly')).toEqual([]);
  });
});
