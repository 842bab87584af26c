import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outcome, type PeopledOrganization, type Person, startWorld, type World } from './orgs/world.ts';
import { organizationHosts } from './platform.ts';

let world: World, acme: PeopledOrganization, viewer: Person;
beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts });
  acme = await world.organizationWith(1);
  viewer = acme.people[0]!;
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

const objects = '/api/v1/authz/objects';
const allowed = (type: string, id: number | string, person = viewer) =>
  person.http.get(`${objects}/${type}/${id}/allowed-permissions?org=${acme.organization.username}`);
const batch = (body: unknown, person = viewer) =>
  person.http.post(`${objects}/allowed-permissions?org=${acme.organization.username}`, { json: body });
/** A refusal with the paths of the invalid values. */
const flaws = (answer: Awaited<ReturnType<typeof batch>>) =>
  [outcome(answer), ...(answer.json<{ errors?: { path: string }[] }>().errors ?? []).map(({ path }) => path)];

describe('allowed-permissions over REST (spec §4.1, open-points 2.5)', () => {
  it.each([
    ['text', 'abc'], ['zero', '0'], ['a negative number', '-1'], ['a fraction', '1.5'], ['a leading zero', '01'],
    ['2^53', '9007199254740992'], ['more than an int64', '9223372036854775808'],
  ])('refuses the id %s, for every caller', async (_, id) => {
    expect(flaws(await allowed('team', id))).toEqual(['400 invalid_parameter', 'objectID']);
    expect(flaws(await allowed('team', id, await world.person()))).toEqual(['400 invalid_parameter', 'objectID']);
  });

  it('refuses unknown types and the accounts of others, and answers nothing of what is missing', async () => {
    expect(outcome(await allowed('planet', 1))).toBe('400 invalid_object_type');
    expect(outcome(await allowed('clusterset', 1))).toBe('400 invalid_object_type');
    expect(outcome(await allowed('user', acme.boss.id))).toBe('400 invalid_parameter');
    expect((await allowed('team', 999_999)).json()).toMatchObject({ allowedPermissions: [] });
    const allowedPermissions = ['can_edit', 'can_manage_tokens', 'can_view'];
    expect((await allowed('user', viewer.id)).json()).toMatchObject({ allowedPermissions });
  });

  it('answers a batch in its order, and an empty one', async () => {
    const team = { objectType: 'team', objectID: acme.organization.teams.Viewers };
    const asked = [team, { objectType: 'team', objectID: 999_999 }, team];
    const answered = (await batch(asked)).json<unknown[]>();
    const own = ['can_leave', 'can_list_members', 'can_view', 'can_view_member'];
    expect(answered).toEqual([own, [], own].map((allowedPermissions, index) => ({ ...asked[index], allowedPermissions })));
    const empty = await batch([]);
    expect([empty.status, empty.json()]).toEqual([200, []]);
  });

  const fine = { objectType: 'team', objectID: 1 };
  it.each<[string, unknown, string[]]>([
    ['that is no array', fine, ['422 validation_failed']],
    ['of texts', ['team'], ['422 validation_failed', '[0]']],
    ['with an element without a type', [fine, { objectID: 1 }], ['422 validation_failed', '[1].objectType']],
    ['with an element without an id', [{ objectType: 'team' }], ['422 validation_failed', '[0].objectID']],
    ['with a type that is no text', [{ objectType: 1, objectID: 1 }], ['422 validation_failed', '[0].objectType']],
    ['with an id as text', [{ objectType: 'team', objectID: '1' }], ['422 validation_failed', '[0].objectID']],
    ['with an unknown type far behind', [...Array<unknown>(36).fill(fine), { objectType: 'planet', objectID: 1 }],
      ['400 invalid_object_type', '[36].objectType']],
    ['with an id below 1', [fine, { objectType: 'team', objectID: 0 }], ['400 invalid_value', '[1].objectID']],
    ['of 1,001', Array(1_001).fill(fine), ['400 too_many_items']],
  ])('refuses a batch %s, and names what is wrong', async (_, body, expected) => {
    const [reason, ...paths] = flaws(await batch(body));
    expect([reason, ...paths.slice(0, expected.length - 1)]).toEqual(expected);
  });

  it('refuses a batch about the account of somebody else', async () => {
    const somebody = { objectType: 'user', objectID: acme.boss.id };
    expect(flaws(await batch([fine, somebody]))).toEqual(['400 invalid_value', '[1].objectID']);
  });
});

describe('the catalogue over REST (open-points 2.6)', () => {
  it('has the order of the specification, and leaves out what is associated with nothing', async () => {
    const answer = await viewer.http.get(`/api/v1/authz/roles/available_permissions?org=${acme.organization.username}`);
    const { permissions: entries } = answer.json<{
      permissions: { namespace: string; action: string; description: string; associated?: unknown[] }[];
    }>();
    expect(entries.map(({ namespace, action }) => `${namespace}/${action}`)).toEqual([
      'org_mgmt/view', 'org_mgmt/edit', 'org_mgmt/view audit', 'org_mgmt/manage webhooks',
      'team_mgmt/view teams', 'team_mgmt/create teams', 'team_mgmt/edit teams', 'team_mgmt/delete teams',
      'team_mgmt/manage members',
      'role_mgmt/view roles', 'role_mgmt/create roles', 'role_mgmt/edit roles', 'role_mgmt/delete roles',
      'token_mgmt/view access tokens', 'token_mgmt/delete access tokens', 'token_mgmt/view bus tokens',
      'token_mgmt/revoke bus tokens', 'token_mgmt/view sync token', 'token_mgmt/manage sync token',
      'token_mgmt/create access tokens', 'token_mgmt/create bus tokens',
      'cluster_mgmt/view clusters', 'cluster_mgmt/import clusters', 'cluster_mgmt/reconfigure clusters',
      'cluster_mgmt/remove clusters', 'cluster_mgmt/connect to clusters', 'cluster_mgmt/manage cluster sets',
      'cluster_mgmt/manage feature sets', 'cluster_mgmt/bind namespaces', 'cluster_mgmt/manage metrics backends',
      'contract_mgmt/view contracts', 'contract_mgmt/add clusters', 'contract_mgmt/remove clusters',
      'contract_mgmt/edit clusters', 'contract_mgmt/update preferences', 'contract_mgmt/issue licenses',
      'contract_mgmt/create license proxy',
    ]);
    expect(entries[0]).toEqual({ namespace: 'org_mgmt', action: 'view', description: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(entries[1]!.associated).toEqual([{ namespace: 'org_mgmt', action: 'view', required: true }]);
    expect(entries.filter(({ associated }) => associated?.length === 0)).toEqual([]);
  });
});
