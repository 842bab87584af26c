import { beforeAll, describe, expect, it } from '@jest/globals';
import { ApiRefusal, type Client, type ClientOptions, createClient } from '@platform/client';
import { documentedFetch } from '../documented.ts';
import { operatorOf } from '../operator.ts';
import { startPlatform } from '../platform.ts';

let options: ClientOptions;
let owner: Client, stranger: Client, nobody: Client;
/** Parameters of calls about the organization acme. */
const parameters = { orgname: 'acme' };

beforeAll(async () => {
  const platform = await startPlatform();
  const { baseUrl } = platform;
  await using operator = await operatorOf(platform);
  options = { baseUrl, fetch: documentedFetch, token: (await operator.user('owner')).token };
  owner = createClient(options);
  stranger = createClient({ ...options, token: (await operator.user('stranger')).token });
  nobody = createClient({ baseUrl: `${baseUrl}/`, fetch: documentedFetch });
  await owner.call('createOrganization', { body: { username: 'acme', visibility: 'private' } });
}, 120_000);

const createTeam = (name: string) => owner.call('createTeam', { parameters, body: { name, type: 'kubernetes' } });

/** The reason of a refused call. */
async function refusal(call: Promise<unknown>): Promise<ApiRefusal> {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (outcome instanceof ApiRefusal) return outcome;
  throw new Error('the call was not refused', { cause: outcome });
}

describe('the client for TypeScript', () => {
  it('creates, reads, changes and deletes', async () => {
    const { id: teamid } = await createTeam('Builders');
    const team = { parameters: { teamid } };
    await owner.call('updateTeam', { ...team, body: { name: 'Makers' } });
    expect((await owner.call('getTeam', team)).name).toBe('Makers');
    expect(await owner.call('deleteTeam', team)).toBeUndefined();
    expect((await refusal(owner.call('getTeam', team))).code).toBe('not_found');
  });

  it('changes only what is as it was read', async () => {
    const { id: teamid } = await createTeam('Keepers');
    const { value, revision } = await owner.read('getTeam', { parameters: { teamid } });
    expect(value.name).toBe('Keepers');
    const asRead = { teamid, 'If-Match': revision! };
    await owner.call('updateTeam', { parameters: asRead, body: { name: 'Losers' } });
    const late = await refusal(owner.call('updateTeam', { parameters: asRead, body: { name: 'Finders' } }));
    expect(late).toMatchObject({ status: 412, code: 'precondition_failed' });
    expect((await owner.read('listTeams', { parameters })).revision).toBeUndefined();
  });

  it('goes through a list in pages', async () => {
    const whole = await owner.list('listTeams', { parameters });
    const page = await owner.list('listTeams', { parameters: { ...parameters, page: 2, limit: 1 } });
    expect([page.total, page.items]).toEqual([whole.items.length, whole.items.slice(1, 2)]);
  });

  it('walks through a list of several pages', async () => {
    const { items } = await owner.list('listTeams', { parameters });
    const walked = await Array.fromAsync(owner.walk('listTeams', { parameters: { ...parameters, limit: 2 } }));
    expect(items.length).toBeGreaterThan(2);
    expect(walked.map(({ name }) => name)).toEqual(items.map(({ name }) => name));
  });

  it('answers a refusal with its code, status, request and what was wrong', async () => {
    // A client without these types may send what they forbid.
    const wrong = await refusal(owner.call('createTeam', { parameters, body: { type: 'kubernetes' } as never }));
    expect(wrong).toMatchObject({ status: 422, code: 'validation_failed', violations: [{ path: 'name' }] });
    expect(wrong.requestId).not.toBe('');
    expect(await refusal(stranger.call('listTeams', { parameters }))).toMatchObject({ status: 404 });
    expect(await refusal(nobody.call('listTeams', { parameters }))).toMatchObject({ status: 401 });
  });

  it('follows the way to who may say whether somebody is a member', async () => {
    await owner.call('createOrganization', { body: { username: 'open' } });
    const member = { parameters: { orgname: 'open', username: 'owner' } };
    expect(await owner.call('checkMember', member)).toBeUndefined();
    expect(await refusal(stranger.call('checkMember', member))).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('encodes what stands in a path', async () => {
    const answer = await refusal(owner.call('getOrganization', { parameters: { orgname: '../acme?x=%2F' } }));
    expect([answer.status, answer.code]).toEqual([404, 'not_found']);
    expect((await nobody.call('getVersion')).version).toMatch(/^v\d+\.\d+\.\d+$/);
  });

  it.each(['', '.', '..'])('does not let %j in a path become another act', async (username) => {
    const removal = owner.call('removeMember', { parameters: { ...parameters, username } });
    await expect(removal).rejects.toThrow(new TypeError(`the parameter username must not be '${username}'`));
    expect((await owner.call('getOrganization', { parameters })).username).toBe('acme');
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
    const listed = behind.list('listTeams', { parameters });
    await expect(listed).rejects.toThrow(/does not have the length of the list: X-Total-Count/);
  });
});
