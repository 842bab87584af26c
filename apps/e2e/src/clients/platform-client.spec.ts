import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiRefusal, type Client, type ClientOptions, createClient } from '@platform/client';
import { documentedFetch } from '../documented.ts';
import { operatorOf } from '../operator.ts';
import { startPlatform } from '../platform.ts';

let options: ClientOptions;
let owner: Client;
let stranger: Client;
let nobody: Client;

beforeAll(async () => {
  const { baseUrl, ...platform } = await startPlatform();
  await using operator = await operatorOf({ baseUrl, ...platform });
  options = { baseUrl, fetch: documentedFetch, token: (await operator.user('owner')).token };
  owner = createClient(options);
  stranger = createClient({ ...options, token: (await operator.user('stranger')).token });
  nobody = createClient({ baseUrl: `${baseUrl}/`, fetch: documentedFetch });
  await owner.call('createOrganization', { body: { username: 'acme', visibility: 'private' } });
}, 120_000);

/** The reason of a refused call. */
async function refusal(call: Promise<unknown>): Promise<ApiRefusal> {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (outcome instanceof ApiRefusal) return outcome;
  throw new Error('the call was not refused', { cause: outcome });
}

describe('the client for TypeScript', () => {
  it('creates, reads, changes and deletes', async () => {
    const made = await owner.call('createTeam', {
      parameters: { orgname: 'acme' },
      body: { name: 'Builders', type: 'kubernetes' },
    });
    const parameters = { teamid: made.id };
    await owner.call('updateTeam', { parameters, body: { name: 'Makers' } });
    expect((await owner.call('getTeam', { parameters })).name).toBe('Makers');
    expect(await owner.call('deleteTeam', { parameters })).toBeUndefined();
    expect((await refusal(owner.call('getTeam', { parameters }))).code).toBe('not_found');
  });

  it('changes only what is as it was read', async () => {
    const { id: teamid } = await owner.call('createTeam', {
      parameters: { orgname: 'acme' },
      body: { name: 'Keepers', type: 'kubernetes' },
    });
    const { value, revision } = await owner.read('getTeam', { parameters: { teamid } });
    expect(value.name).toBe('Keepers');
    const parameters = { teamid, 'If-Match': revision! };
    await owner.call('updateTeam', { parameters, body: { name: 'Losers' } });
    const late = await refusal(owner.call('updateTeam', { parameters, body: { name: 'Finders' } }));
    expect(late).toMatchObject({ status: 412, code: 'precondition_failed' });
    expect((await owner.read('listTeams', { parameters: { orgname: 'acme' } })).revision).toBeUndefined();
  });

  it('goes through a list in pages', async () => {
    const whole = await owner.list('listTeams', { parameters: { orgname: 'acme' } });
    const page = await owner.list('listTeams', { parameters: { orgname: 'acme', page: 2, limit: 1 } });
    expect([page.total, page.items]).toEqual([whole.items.length, whole.items.slice(1, 2)]);
  });

  it('walks through a list of several pages', async () => {
    const { items } = await owner.list('listTeams', { parameters: { orgname: 'acme' } });
    const walked: string[] = [];
    for await (const { name } of owner.walk('listTeams', { parameters: { orgname: 'acme', limit: 2 } })) walked.push(name);
    expect(items.length).toBeGreaterThan(2);
    expect(walked).toEqual(items.map(({ name }) => name));
  });

  it('answers a refusal with its code, status, request and what was wrong', async () => {
    const wrong = await refusal(owner.call('createTeam', {
      parameters: { orgname: 'acme' },
      // A client without these types may send what they forbid.
      body: { type: 'kubernetes' } as never,
    }));
    expect(wrong).toMatchObject({ status: 422, code: 'validation_failed', violations: [{ path: 'name' }] });
    expect(wrong.requestId).not.toBe('');
    const parameters = { orgname: 'acme' };
    expect(await refusal(stranger.call('listTeams', { parameters }))).toMatchObject({ status: 404 });
    expect(await refusal(nobody.call('listTeams', { parameters }))).toMatchObject({ status: 401 });
  });

  it('follows the way to who may say whether somebody is a member', async () => {
    await owner.call('createOrganization', { body: { username: 'open' } });
    const parameters = { orgname: 'open', username: 'owner' };
    expect(await owner.call('checkMember', { parameters })).toBeUndefined();
    expect(await refusal(stranger.call('checkMember', { parameters }))).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('encodes what stands in a path', async () => {
    const answer = await refusal(owner.call('getOrganization', { parameters: { orgname: '../acme?x=%2F' } }));
    expect([answer.status, answer.code]).toEqual([404, 'not_found']);
    expect((await nobody.call('getVersion')).version).toMatch(/^v\d+\.\d+\.\d+$/);
  });

  it.each(['', '.', '..'])('does not let %j in a path become another act', async (username) => {
    const removal = owner.call('removeMember', { parameters: { orgname: 'acme', username } });
    await expect(removal).rejects.toThrow(new TypeError(`the parameter username must not be '${username}'`));
    expect((await owner.call('getOrganization', { parameters: { orgname: 'acme' } })).username).toBe('acme');
  });

  it('sends no half of a surrogate pair', async () => {
    const inPath = owner.call('getOrganization', { parameters: { orgname: 'a\ud800' } });
    await expect(inPath).rejects.toThrow(new TypeError('the parameter orgname contains half of a surrogate pair'));
    const inQuery = owner.call('addAllowedDomain', { parameters: { org: 'a\udc00' }, body: { name: 'example.org' } });
    await expect(inQuery).rejects.toThrow(new TypeError('the parameter org contains half of a surrogate pair'));
  });

  it('has no length of a list that was answered without one', async () => {
    const withoutLength: typeof fetch = async (...call) => {
      const answer = await documentedFetch(...call);
      const headers = new Headers(answer.headers);
      headers.delete('x-total-count');
      return new Response(answer.body, { status: answer.status, headers });
    };
    const behind = createClient({ ...options, fetch: withoutLength });
    const listed = behind.list('listTeams', { parameters: { orgname: 'acme' } });
    await expect(listed).rejects.toThrow(/does not have the length of the list: X-Total-Count/);
  });
});
