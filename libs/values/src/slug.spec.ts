import { describe, expect, it } from '@jest/globals';
import { slugKey, slugProblem, systemAdminNameOf } from './slug.ts';

describe('names of accounts (open-points 1.10)', () => {
  it.each([
    'a', '7', 'acme', 'Acme', 'a-b', 'a_b', 'a.b', 'a-b_c.d', '0-0', 'x'.repeat(40), 'administration', 'platform-admin',
    'org-system', 'org-1', 'org--system'.replace('--', '-'), 'newer', 'Ghosts',
  ])('accepts %s', (name) => {
    expect(slugProblem(name)).toBeUndefined();
  });

  it.each([
    '', '.', '..', '-a', 'a-', '.a', 'a.', '_a', 'a_', 'a--b', 'a..b', 'a._b', 'a b', ' a', 'a/b', 'ä', 'a\u0000',
    'a\n',
    'x'.repeat(41), '\u212Aeep', 'İstanbul', 'a@b', '😀',
  ])('refuses the malformed %j', (name) => {
    expect(slugProblem(name)).toBeDefined();
  });

  it.each([
    'admin', 'API', 'New', 'orgs', 'USER', 'version', 'teams', 'org-1-system', 'ORG-99-System', 'licensed-5', 'Licensed-12', 'marketplace', 'me',
    'system', 'site', 'ghost',
  ])('refuses the reserved %s in any case', (name) => {
    expect(slugProblem(name)).toBeDefined();
  });

  it('compares names without their case', () => {
    expect(slugKey('AcMe')).toBe('acme');
  });

  it.each(['\u212Aeep', 'a--b', '', 'x'.repeat(41), 'a b'])('looks nothing up for %j', (name) => {
    expect(slugKey(name)).toBeUndefined();
  });

  it('gives system admins a name that no other account can have', () => {
    expect(slugProblem(systemAdminNameOf(12))).toBeDefined();
    expect(slugKey(systemAdminNameOf(12))).toBe('org-12-system');
  });
});
