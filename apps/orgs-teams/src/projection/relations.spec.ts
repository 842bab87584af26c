import { describe, expect, it } from '@jest/globals';
import { filtersOf, parseUnit, roleNamedBy, type Structure, tupleKey, tuplesOf } from './relations.ts';

const nothing: Structure = { exists: false, own: [], roleIds: [], teams: [], pairs: [], assignments: [] };
const spelled = (structure: Partial<Structure>) => tuplesOf(3, { ...nothing, ...structure }).map(tupleKey);

describe('the tuples of an organization', () => {
  it.each([
    ['owner', 'owner'], ['admin', 'admin'], ['write', 'editor'], ['read', 'viewer'], ['none', 'member'],
    ['custom', 'member'],
  ] as const)('a team with the right %s is its %s', (permission, relation) => {
    expect(spelled({ teams: [{ id: 42, permission }] })).toEqual([`organization:3#${relation}@team:42#member`]);
  });

  it('a pair of a role is a building block of the organization', () => {
    expect(spelled({ pairs: [{ roleId: 9, namespace: 'team_mgmt', action: 'view teams' }] })).toEqual([
      'organization:3#team_mgmt_view_teams@role:9#assignee',
    ]);
  });

  it('an assignment makes the members of the team its assignees', () => {
    expect(spelled({ assignments: [{ roleId: 9, teamId: 42 }] })).toEqual(['role:9#assignee@team:42#member']);
  });

  it('has its system admin and its link to the site', () => {
    expect(spelled({ own: [{ administrative: false, systemAdminId: 4 }] })).toEqual([
      'organization:3#site@site:main', 'organization:3#system_admin@user:4',
    ]);
  });

  it('has two more when it is the administrative one', () => {
    expect(spelled({ own: [{ administrative: true, systemAdminId: null }] })).toHaveLength(3);
  });

  it('has no tuples once it is deleted', () => {
    expect(spelled({})).toEqual([]);
  });
});

describe('units', () => {
  it.each([
    ['team:42', [{ object: 'organization:3', relation: '', user: 'team:42#member' }]],
    ['role:9', [{ object: 'organization:3', relation: '', user: 'role:9#assignee' }]],
    ['assignment:9/42', [{ object: 'role:9', relation: '', user: 'team:42#member' }]],
    ['all', [{ object: 'organization:3', relation: '', user: '' }]],
  ])('%s is found in one place', (unit, filters) => {
    expect(filtersOf(3, parseUnit(unit))).toEqual(filters);
  });

  it('looks for what is the organization\'s own by its relations, not among its teams and roles', () => {
    const filters = filtersOf(3, parseUnit('organization:3'));
    const own = tuplesOf(3, { ...nothing, own: [{ administrative: true, systemAdminId: 4 }] });
    expect(new Set(filters.map(({ relation }) => relation))).toEqual(new Set(own.map(({ relation }) => relation)));
  });

  it.each(['', 'team', 'teams:1x', 'fence:1'])('%j is refused', (text) => {
    expect(() => filtersOf(3, parseUnit(text))).toThrow(RangeError);
  });

  it('finds the role a tuple names', () => {
    expect(roleNamedBy({ object: 'organization:3', relation: 'x', user: 'role:12#assignee' })).toBe(12);
    expect(roleNamedBy({ object: 'organization:3', relation: 'x', user: 'team:12#member' })).toBeUndefined();
  });
});
