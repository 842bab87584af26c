import { beforeAll, describe, expect, it } from '@jest/globals';
import { readImage } from '@platform/proto/image';
import { readSurface, type Surface } from '@platform/surface';
import { parameterFaults } from './parameter-faults.ts';

let surface: Surface;
beforeAll(async () => {
  surface = readSurface(await readImage());
});

const faultsOf = (name: string, message: Record<string, unknown>) =>
  parameterFaults(surface.methods.find((method) => method.name === name)!)(message);

describe('parameters of those who call directly (open-points 1.5, 1.7)', () => {
  it.each([
    ['GetRole', 'id', 0], ['UpdateRole', 'id', 0], ['GetTeam', 'teamid', 0], ['DeleteTeam', 'teamid', 0],
    ['UpdateTeam', 'teamid', -3], ['ChangeMembership', 'teamid', 0], ['ChangeMember', 'uid', 0],
    ['DeleteAccessToken', 'id', -1],
  ])('%s is refused for %s = %i before its access rule is applied', (method, field, value) => {
    const { access, other } = faultsOf(method, { [field]: value });
    expect(access).toMatchObject({ reason: 'INVALID_PARAMETER', violations: [{ path: field }] });
    expect(other).toBeUndefined();
  });

  it('refuses after it what the rule does not look at', () => {
    const { access, other } = faultsOf('ChangeMembership', { teamid: 1, uid: 0 });
    expect(access).toBeUndefined();
    expect(other).toMatchObject({ reason: 'INVALID_PARAMETER', violations: [{ path: 'uid' }] });
  });

  it('refuses what is beyond the highest value that a parameter declares', () => {
    expect(faultsOf('ListEvents', { lastDays: 14 })).toEqual({});
    expect(faultsOf('ListEvents', { lastDays: 15 }).other).toMatchObject({ violations: [{ path: 'lastDays' }] });
  });

  it.each([
    ['GetOrganization', 'orgname'], ['CheckClaimable', 'claimId'], ['ListEvents', 'org'], ['CreateContracts', 'org'],
  ])('%s is refused for a %s that is longer than a URL', (method, field) => {
    expect(faultsOf(method, { [field]: 'x'.repeat(8 * 1024) }).access?.reason).not.toBe('URI_TOO_LONG');
    expect(faultsOf(method, { [field]: 'x'.repeat(8 * 1024 + 1) }).access?.reason).toBe('URI_TOO_LONG');
  });

  it('takes what is in order, what is left out, and zero for a page that is not asked for', () => {
    expect(faultsOf('GetTeam', { teamid: 1 })).toEqual({});
    expect(faultsOf('ChangeMembership', { teamid: 1 })).toEqual({});
    expect(faultsOf('ListTeams', { page: 0, limit: 0 })).toEqual({});
    expect(faultsOf('GetVersion', {})).toEqual({});
  });

  it('leaves bodies to their own rules', () => {
    expect(faultsOf('UpdateRole', { id: 1, role: { teamIds: { items: [0] } } })).toEqual({});
  });
});
