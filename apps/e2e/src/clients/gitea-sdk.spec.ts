import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '@platform/testing';
import { startWorld, type World } from '../orgs/world.ts';
import { organizationHosts } from '../platform.ts';

const run = promisify(execFile);
const directory = join(repositoryRoot, 'apps/e2e/clients/gitea-sdk');
const hasGo = await run('go', ['version']).then(() => true, () => false);
if (!hasGo) process.stderr.write('Gitea\'s Go SDK is not tried here: there is no Go on this machine.\n');

let world: World;
let walked: Record<string, unknown>;

/*
 * What cannot work, and why:
 * - CreateTeam: the SDK sends no `type`, which the spec requires (§2.2), so this step is a plain request. It sends
 *   `units` and `can_create_org_repo` too, which are ignored.
 * - CreateTeam and EditTeam: only `read`, `write` and `admin`; the SDK itself refuses `custom`, and knows no roles.
 * - EditOrg returns no body to its callers. GetOrg has no `orgType` and no `managerManagementClusterEndPoint`.
 * - ListAccessTokens, CreateAccessToken, DeleteAccessToken: the SDK makes these calls with a password only.
 * - ListOrgs, ListUserOrgs, GetOrgPermissions, ListMyTeams, SearchOrgTeams, and all about repositories,
 *   labels, blocks, actions and activities: not in the spec.
 */
(hasGo ? describe : describe.skip)('Gitea\'s Go SDK walks organizations, members and teams', () => {
  beforeAll(async () => {
    world = await startWorld({ hosts: organizationHosts });
    const [owner, friend] = [await world.person('walker'), await world.person('friend')];
    const { platform: { baseUrl }, siteAdmin } = world;
    const given = [baseUrl, owner.token, 'walked', friend.username, friend.token, siteAdmin.token];
    const { stdout } = await run('go', ['run', '.', ...given], { cwd: directory });
    walked = JSON.parse(stdout) as Record<string, unknown>;
  }, 240_000);
  afterAll(async () => world?.[Symbol.asyncDispose]());

  it('is let in by its gate of versions', () => {
    expect(walked['version']).toMatch(/^v20\d\d\.\d+\.\d+$/);
  });

  it('creates, changes, reads and deletes an organization', () => {
    expect(walked['create organization']).toMatchObject({
      id: expect.any(Number), username: 'walked', full_name: 'Walked', description: 'By an SDK.',
      website: 'https://example.org', location: 'Here', visibility: 'public', avatar_url: expect.stringMatching(/^http/),
    });
    expect(walked['edit organization']).toBe('edited');
    expect(walked['get organization'])
      .toMatchObject({ full_name: 'Walked again', location: 'There', visibility: 'limited' });
    expect(walked['delete organization']).toBe('deleted');
    expect(walked['get deleted organization']).toBe(404);
  });

  it('reads the user and the organizations of the caller, and finds people', () => {
    expect(walked['own user']).toMatchObject({ login: 'walker', active: true });
    expect(walked['own organizations']).toMatchObject([{ username: 'walked' }]);
    expect(walked['search users']).toEqual(['friend']);
  });

  it('as a site admin makes, changes, lists and deletes users', () => {
    expect(walked['create user']).toMatchObject({ login: 'gopher', email: 'gopher@example.org', full_name: 'Gopher' });
    expect(walked['edit user']).toBe('edited');
    expect(walked['list users']).toMatchObject([{ login: 'gopher', full_name: 'Gopher G.', prohibit_login: true }]);
    expect(walked['list organizations']).toEqual(expect.arrayContaining([expect.objectContaining({ username: 'walked' })]));
    expect(walked['delete user as somebody else']).toEqual({ status: 403, refused: true });
    expect(walked['delete user']).toBe('deleted');
  });

  it('creates a team only by a plain request, then changes, reads, lists and deletes it', () => {
    expect(walked['create team without a type']).toEqual({ status: 422, refused: true });
    expect(walked['create team']).toMatchObject({ name: 'walkers', permission: 'read' });
    expect(walked['edit team']).toBe('edited');
    expect(walked['get team']).toMatchObject({
      name: 'runners', description: 'They walk.', permission: 'write', organization: { username: 'walked' },
    });
    expect(walked['list teams']).toEqual(['Owners', 'Editors', 'Viewers', 'runners']);
    expect(walked['second page of teams']).toEqual(['runners']);
    expect(walked['last page of teams']).toEqual({ first: 1, previous: 1 });
    expect(walked['delete team']).toBe('deleted');
  });

  it('adds, shows, hides and removes members', () => {
    expect(walked).toMatchObject({
      'is a member before': false,
      'add team member': 'added',
      'list team members': ['friend'],
      'get team member': { login: 'friend', email: 'friend@example.org' },
      'is a member': true,
      'list members': ['walker', 'friend'],
      'show membership': 'shown',
      'is a public member': true,
      'list public members': ['friend'],
      'hide membership': 'hidden',
      'remove team member': 'removed',
      'is a member afterwards': false,
      'add team member again': 'added',
      'remove member': 'removed',
    });
  });
});
