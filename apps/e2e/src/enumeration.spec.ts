import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { as, type HttpAnswer, until } from '@platform/testing';
import { organizationHosts } from './platform.ts';
import { type Person, startWorld, type World } from './orgs/world.ts';

/**
 * Whether answers reveal accounts. Their time is not measured: by construction one statement looks up each token by its
 * keyed hash, valid or not (apps/orgs-teams/src/standing/standing.ts), and names are looked up as given.
 */
let world: World, owner: Person, stranger: Person;

beforeAll(async () => {
  world = await startWorld({ hosts: organizationHosts });
  [owner, stranger] = [await world.person(), await world.person()];
}, 120_000);
afterAll(async () => world?.[Symbol.asyncDispose]());

/** An answer without the values that are new in each answer. */
function shown({ status, text, headers }: HttpAnswer): unknown {
  const lasting = headers.filter(([name]) => !['x-request-id', 'date'].includes(name.toLowerCase()));
  return { status, text: text.replace(/"requestId":"[^"]*"/, ''), headers: lasting };
}

describe('a token that opens nothing', () => {
  it('gets the same answer when it is unknown, expired or revoked', async () => {
    const { admin } = world.operator;
    const [revoked, expired, inactive, deleted] = await Promise.all([0, 1, 2, 3].map(() => world.person()));
    const tokenOf = ({ username: user }: Person, name: string, expiresInSeconds: number) =>
      admin.createToken({ user, organization: '', name, expiresInSeconds }, as(undefined));
    const once = await tokenOf(revoked!, 'once', 0);
    await admin.revokeToken({ id: once.id }, as(undefined));
    const brief = await tokenOf(expired!, 'brief', 1);
    await admin.updateUser({ username: inactive!.username, active: false }, as(undefined));
    await admin.deleteUser({ username: deleted!.username, leaveOrganizations: false }, as(undefined));

    const { username } = await world.organization(owner);
    const answerTo = (token: string) => world.as(token).get(`/api/v1/orgs/${username}`);
    await until(async () => (await answerTo(brief.token)).status === 401, { what: 'the token has expired' });
    const tokens = [randomBytes(20).toString('hex'), once.token, brief.token, inactive!.token, deleted!.token, 'no-token'];
    const answers = await Promise.all(tokens.map(answerTo));
    expect(answers[0]!.status).toBe(401);
    expect(answers.map(shown)).toEqual(tokens.map(() => shown(answers[0]!)));
  });
});

describe('an organization that is not public', () => {
  it('is to strangers as one that does not exist', async () => {
    const { username } = await world.organization(owner, { visibility: 'private' });
    for (const caller of [world.nobody, stranger.http]) {
      for (const path of ['', '/members', '/public_members', `/members/${owner.username}`, '/teams', '/avatar/']) {
        const answerOf = async (name: string) => shown(await caller.get(`/api/v1/orgs/${name}${path}`));
        const [hidden, missing] = await Promise.all([answerOf(username), answerOf('nobody-has-this-name')]);
        expect({ path, answer: hidden }).toEqual({ path, answer: missing });
      }
    }
  });
});
