import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { readImage } from '@platform/proto/image';
import { deadlineIn, Secret, silentLogger } from '@platform/service';
import { readSurface, type Surface } from '@platform/surface';
import { connect } from '../client/client.ts';
import { deployment } from '../fixtures/guarded-world.ts';
import { implement, type Implementation } from '../server/implement.ts';
import { type RpcServer, startRpcServer } from '../server/server.ts';
import type { GuardSources } from './guard-sources.ts';
import { createGuard } from './guard.ts';
import { ownersOf, remoteSources } from './remote-sources.ts';

const serviceCredential = new Secret('correct horse battery staple');
const call = () => ({ deadline: deadlineIn(5_000), requestId: 'spec', token: 'a token of the caller' });
const notAsked = () => Promise.reject(new Fault('INTERNAL', 'this was not asked'));

let surface: Surface;
const running: AsyncDisposable[] = [];

/** A server that answers the questions of the sources to one service. */
async function serve(host: string, service: string, implementation: Implementation): Promise<RpcServer> {
  const methods = surface.methods.filter((method) => method.service === service);
  const sources = { standing: notAsked, ask: notAsked, settle: notAsked, reportLostStore: notAsked, objects: {} };
  const server = await startRpcServer({
    surface: { ...surface, methods, byPath: new Map(methods.map((method) => [method.path, method])) },
    host,
    services: [implementation],
    guard: createGuard(sources, { deployment, serviceCredentials: [serviceCredential] }),
    listen: '127.0.0.1:0',
    log: silentLogger,
  });
  running.push(server);
  return server;
}

let orgsTeams: string;
let sources: GuardSources;
let ownAnswer: GuardSources;

beforeAll(async () => {
  surface = readSurface(await readImage());
  const identity = implement(IdentityServiceService, {
    getStanding: async ({ slugs }) => {
      if (slugs.length === 0) throw new Fault('ACCOUNT_DISABLED', 'sign-in is prohibited');
      return { caller: undefined, organizations: [] };
    },
    settle: async ({ organizationId }) => ({ settled: organizationId === 3 }),
    reportLostStore: async () => ({}),
    resolveOwners: async ({ type, ids }) => ({
      owners: ids.filter((id) => id < 100).map((id) => ({
        id, ownerId: id + 1_000, teamId: type === 'team' ? id : 0, isOwnersTeam: type === 'team' && id === 1,
      })),
    }),
  });
  const decisions = implement(DecisionServiceService, {
    askGrounds: async ({ principal }) => ({ grounds: [`asked by ${principal}`], modelId: 'm', fence: 'f' }),
    readTuples: notAsked, writeTuples: notAsked, getModel: notAsked,
  });
  ({ address: orgsTeams } = await serve('orgs-teams', 'controlplane.orgs.v1.IdentityService', identity));
  const authz = await serve('authz', 'controlplane.authz.v1.DecisionService', decisions);
  const options = { surface, orgsTeams: [orgsTeams], serviceCredential, objects: {} };
  const remote = remoteSources({ ...options, authz: [authz.address] });
  const inAuthz = remoteSources({
    ...options,
    authz: async () => ({ grounds: ['answered here'], modelId: 'm', fence: 'f' }),
  });
  running.push(remote, inAuthz);
  [sources, ownAnswer] = [remote, inAuthz];
});
afterAll(async () => {
  for (const one of running.reverse()) await one[Symbol.asyncDispose]();
});

const question = { principal: 'team:7#member', organizationId: 3 };

describe('remote sources', () => {
  it('ask the services with the service credential, and pass their faults on', async () => {
    const standing = (slugs: string[]) => sources.standing({ token: '', slugs, organizationIds: [] }, call());
    await expect(standing(['acme'])).resolves.toEqual({ caller: undefined, organizations: [] });
    await expect(standing([])).rejects.toMatchObject({ reason: 'ACCOUNT_DISABLED' });
    await expect(sources.settle({ organizationId: 3 }, call())).resolves.toEqual({ settled: true });
    await expect(sources.reportLostStore({ organizationId: 3 }, call())).resolves.toEqual({});
    const { grounds } = await sources.ask(question, call());
    expect(grounds).toEqual(['asked by team:7#member']);
  });

  it('ask authz nothing when they are in authz', async () => {
    const { grounds } = await ownAnswer.ask(question, call());
    expect(grounds).toEqual(['answered here']);
  });

  it('are UNAVAILABLE while a service is away', async () => {
    await using away = remoteSources({
      surface, serviceCredential, orgsTeams: ['127.0.0.1:9'], authz: ['127.0.0.1:9'], objects: {},
    });
    await expect(away.ask(question, call())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    await expect(away.settle({ organizationId: 3 }, call())).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  });
});

describe('objects that another service owns', () => {
  it('are found by id; undefined for one that does not exist', async () => {
    await using client = connect(IdentityServiceService, {
      surface, name: 'orgs-teams', addresses: [orgsTeams], serviceCredential,
    });
    const team = ownersOf(client, 'team');
    const find = (source: typeof team, id: number) => source({ keys: [id], accountId: undefined }, call());
    expect(await find(team, 1)).toEqual({ id: 1, ownerId: 1_001, teamId: 1, isOwnersTeam: true });
    expect(await find(team, 2)).toEqual({ id: 2, ownerId: 1_002, teamId: 2, isOwnersTeam: false });
    expect(await find(team, 100)).toBeUndefined();
    expect(await find(ownersOf(client, 'role'), 5)).toEqual({ id: 5, ownerId: 1_005 });
  });
});
