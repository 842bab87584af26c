import { describe, expect, it } from '@jest/globals';
import { roleNameProblem, teamNameProblem } from './structure-names.ts';

describe('names of teams (open-points 3.5)', () => {
  it.each([
    'a', 'Team 7', 'a-b_c.d', '-', '...', 'x'.repeat(50), 'newer', 'co-owners', 'a b c',
  ])('%j may be', (name) => {
    expect(teamNameProblem(name, false)).toBeUndefined();
  });

  it.each([
    '', ' ', ' a', 'a ', 'a  b', 'a\tb', 'a\nb', 'a/b', 'é', '团队', 'x'.repeat(51), 'owners', 'Owners', 'OWNERS', 'new',
    'New', 'a\u0000', 'a\u00a0b',
  ])('%j may not', (name) => {
    expect(teamNameProblem(name, false)).toEqual(expect.any(String));
  });

  it('leaves Owners its name, but not another reserved one', () => {
    expect(teamNameProblem('Owners', true)).toBeUndefined();
    expect(teamNameProblem('new', true)).toEqual(expect.any(String));
  });
});

describe('names of roles (open-points 2.7)', () => {
  it.each(['a', 'Read-only auditor', '監査', 'x'.repeat(100), '😀'.repeat(100), 'owners', 'new'])('%j may be', (name) => {
    expect(roleNameProblem(name)).toBeUndefined();
  });

  it.each(['', 'x'.repeat(101), '😀'.repeat(101), 'two\nlines', 'a\u001b[2J', 'a\u009b2J', 'a\u2028b'])('%j may not', (name) => {
    expect(roleNameProblem(name)).toEqual(expect.any(String));
  });
});
