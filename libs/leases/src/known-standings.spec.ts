import { expect, it } from '@jest/globals';
import { AccountKind, type GetStandingRequest, type Standing } from '@platform/proto/orgs/v1/identity';
import { createRateLimiter } from '@platform/limits';
import { deadlineIn, silentLogger } from '@platform/service';
import { testBus, until } from '@platform/testing';
import { createKnownStandings, type KnownStanding } from './known-standings.ts';
import { connectLeaseBus } from './line.ts';
import { type LeaseSessions, openHolder } from './open-holder.ts';

const standing: Standing = {
  caller: {
    id: 7, login: 'alice', kind: AccountKind.ACCOUNT_KIND_PERSON, isAdmin: false, tokenId: 3, systemAdminOf: 0,
    right: undefined, scopes: ['all'],
  },
  organizations: [],
  keepMs: 30_000,
};
const request: GetStandingRequest = { token: 'a token of alice', slugs: [], organizationIds: [], countsRequest: true };
const call = () => ({ deadline: deadlineIn(5_000), requestId: 'spec' });

it('an answer is kept only if it comes from rows; requests that it answers count', async () => {
  const bus = await testBus();
  await using connection = connectLeaseBus(bus, silentLogger);
  const admitted = Promise.withResolvers<void>();
  const sessions: LeaseSessions = {
    register: async () => {
      await admitted.promise;
      return true;
    },
    renew: async () => true,
    end: async () => undefined,
  };
  const line = connection.line(bus.prefix);
  const { signal: stopping } = new AbortController();
  const options = { sessions, line, lifetimeMs: 3_000, mostBytes: 10_000, stopping, log: silentLogger };
  await using holder = openHolder<KnownStanding>(options);
  const asked: (boolean | undefined)[] = [];
  const rate = { perSecond: 0.001, burst: 2 };
  const known = createKnownStandings({
    holder, rateLimiter: createRateLimiter({ anonymous: rate, failedCredentials: rate, account: rate }),
    read: async ({ mayBeKept }) => {
      asked.push(mayBeKept);
      return standing;
    },
  });
  // Without a session, orgs-teams may answer from its own memory, and the answer is not kept.
  for (const _ of [1, 2]) expect(await known(request, call())).toBe(standing);
  expect(asked).toEqual([true, true]);
  admitted.resolve();
  await until(async () => {
    await known(request, call());
    return asked.at(-1) === false;
  }, { what: 'it has a session' });
  const before = asked.length;
  for (const _ of [1, 2]) expect(await known(request, call())).toBe(standing);
  await expect(known(request, call())).rejects.toMatchObject({ reason: 'RATE_LIMITED' });
  expect(asked).toHaveLength(before);
  // A request without a token is always sent to orgs-teams.
  await known({ ...request, token: '' }, call());
  expect(asked).toHaveLength(before + 1);
});
