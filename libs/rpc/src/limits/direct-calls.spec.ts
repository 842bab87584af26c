import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { createRateLimiter, sourceAddressBy } from '@platform/limits';
import { AccountKind, type Standing } from '@platform/proto/orgs/v1/identity';
import { readImage } from '@platform/proto/image';
import { currentParty, deadlineIn, onBehalfOf, Secret, silentLogger } from '@platform/service';
import { type Method, readSurface, type Surface } from '@platform/surface';
import type { CallContext } from '../call-context.ts';
import { openReplicas } from '../client/replicas.ts';
import { encodeFault } from '../faults/status.ts';
import { deployment, serviceCredential } from '../fixtures/guarded-world.ts';
import { createGuard } from '../guard/guard.ts';
import { type RpcServer, startRpcServer } from '../server/server.ts';
import { wire } from '../wire/wire.ts';

const names = ['GetOrganization', 'CheckOwner', 'GetVersion', 'GetStanding'];
let surface: Surface;
let server: RpcServer;
let methods: Map<string, Method>;

beforeAll(async () => {
  const whole = readSurface(await readImage());
  const some = whole.methods.filter(({ name }) => names.includes(name));
  methods = new Map(some.map((method) => [method.name, method]));
  surface = { ...whole, methods: some, byPath: new Map(some.map((method) => [method.path, method])) };
});

const running: AsyncDisposable[] = [];
afterAll(async () => {
  for (const one of running.reverse()) await one[Symbol.asyncDispose]();
});

const [memberToken, strangerToken] = ['a'.repeat(40), 'b'.repeat(40)];
/** Knows a member of organization 7 and a stranger. Every other token is invalid. */
const standing = async ({ token }: { token: string }): Promise<Standing> => {
  parties.push(currentParty());
  if (token === '') return { caller: undefined, organizations: [] };
  const id = [memberToken, strangerToken].indexOf(token) + 1;
  if (id === 0) throw new Fault('UNAUTHENTICATED', 'invalid token');
  const principals = id === 1 ? [{ user: 'team:1#member', teamId: 1, isOwners: true, revision: 'r', pending: false }] : [];
  return {
    caller: {
      id, login: `user-${id}`, kind: AccountKind.ACCOUNT_KIND_PERSON, tokenId: 1, isAdmin: false, systemAdminOf: 0,
      right: undefined, scopes: ['all'],
    },
    organizations: [{
      id: 7, slug: 'x', kind: AccountKind.ACCOUNT_KIND_ORGANIZATION, visible: true, administrative: false, principals,
    }],
  };
};
const notAsked = () => Promise.reject(new Fault('INTERNAL', 'this was not asked'));
const empty = Buffer.alloc(0);
/** The source addresses that handlers received. */
const sources: string[] = [];
/** The parties on whose behalf standings were read and handlers ran. */
const parties: string[] = [];
const codec = {
  requestStream: false, responseStream: false, requestSerialize: () => empty, requestDeserialize: () => ({ orgname: 'x' }),
  responseSerialize: () => empty, responseDeserialize: (bytes: Buffer) => bytes,
} as const;

beforeEach(async () => {
  const rate = (burst: number) => ({ perSecond: 0.001, burst });
  const known = { standing, ask: notAsked, settle: notAsked, reportLostStore: notAsked, objects: {} };
  server = await startRpcServer({
    surface,
    host: 'orgs-teams',
    services: [...Map.groupBy(surface.methods, ({ service }) => service).values()].map((own) => ({
      methods: own.map(({ path }) => ({
        definition: { ...codec, path },
        handler: async (_request: unknown, { sourceAddress }: CallContext) => {
          sources.push(sourceAddress);
          parties.push(currentParty());
          return {};
        },
      })),
    })),
    guard: createGuard(known, { deployment, serviceCredentials: [serviceCredential] }),
    directLimits: {
      rateLimiter: createRateLimiter({ anonymous: rate(3), failedCredentials: rate(2), account: rate(1) }),
      sourceAddress: sourceAddressBy(['127.0.0.0/8']),
    },
    listen: '127.0.0.1:0',
    log: silentLogger,
  });
  running.push(server);
});

interface Caller {
  readonly token?: string;
  readonly credential?: Secret;
  readonly from?: string;
  /** The source address that the call itself claims. */
  readonly source?: string;
  /** The party that the call claims. */
  readonly party?: string;
  readonly fault?: Fault;
}

/** Makes a number of calls one after the other, and returns their results. */
async function calls(times: number, name: string, { token, credential, from, source, party, fault }: Caller = {}): Promise<string[]> {
  const replicas = openReplicas('orgs-teams', [server.address]);
  running.push(replicas);
  const entries: [string, string | Buffer][] = [];
  if (token !== undefined) entries.push([wire.authorization, `Bearer ${token}`]);
  if (credential) entries.push([wire.serviceCredential, credential.reveal()]);
  if (from !== undefined) entries.push(['x-forwarded-for', from]);
  if (source !== undefined) entries.push([wire.sourceAddress, source]);
  if (party !== undefined) entries.push([wire.party, party]);
  if (fault) entries.push([wire.bodyFault, encodeFault(fault)]);
  const answers: string[] = [];
  for (let count = 0; count < times; count += 1) {
    const call = { ...codec, path: methods.get(name)!.path, repeatable: false };
    const context = { deadline: deadlineIn(5_000), requestId: 'spec' };
    const answer = await replicas.call(call, {}, context, entries).then(() => undefined, (error: Fault) => error);
    answers.push(answer?.reason ?? 'OK');
    if (answer?.reason === 'RATE_LIMITED') {
      expect(answer.retryAfterSeconds).toBe(1_000);
      expect(answer.metadata).toEqual({
        rateLimit: expect.stringMatching(/^"[a-z-]+";r=0;t=1000$/),
        rateLimitPolicy: expect.stringMatching(/^"[a-z-]+";q=\d;w=\d000$/),
      });
    }
  }
  return answers;
}

const badToken = 'f'.repeat(40);

describe('callers who do not come through the gateway', () => {
  it('are limited per source address while they show no token', async () => {
    const first = await calls(4, 'GetOrganization', { from: '192.0.2.1' });
    expect(first).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND', 'RATE_LIMITED']);
    expect(await calls(1, 'CheckOwner', { from: '192.0.2.1' })).toEqual(['RATE_LIMITED']);
    expect(await calls(1, 'CheckOwner', { from: '192.0.2.2' })).toEqual(['UNAUTHENTICATED']);
  });

  it('are limited per source address when their tokens are refused', async () => {
    const answers = await calls(3, 'GetOrganization', { token: badToken });
    expect(answers).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED', 'RATE_LIMITED']);
    expect(await calls(1, 'GetOrganization')).toEqual(['NOT_FOUND']);
  });

  it('may ask for the version as often as they like', async () => {
    expect(await calls(6, 'GetVersion')).toEqual(Array(6).fill('OK'));
  });

  it('are not believed what only the gateway says', async () => {
    const fault = new Fault('INTERNAL', 'the caller made this up');
    expect(await calls(1, 'GetVersion', { fault })).toEqual(['OK']);
    expect(await calls(1, 'GetVersion', { fault, credential: serviceCredential })).toEqual(['INTERNAL']);
  });
});

it('handlers know the source address, which only services of ours can name', async () => {
  sources.length = 0;
  await calls(1, 'GetVersion');
  await calls(1, 'GetVersion', { from: '192.0.2.1, 198.51.100.9' });
  await calls(1, 'GetVersion', { source: '192.0.2.1' });
  await calls(1, 'GetVersion', { source: '192.0.2.1', credential: new Secret('a wrong one') });
  await calls(1, 'GetVersion', { source: '192.0.2.1', from: '192.0.2.7', credential: serviceCredential });
  await calls(1, 'GetVersion', { credential: serviceCredential });
  expect(sources).toEqual(['127.0.0.1', '198.51.100.9', '127.0.0.1', '127.0.0.1', '192.0.2.1', '']);
});

it('work is on behalf of the source, then of the account of a member, else of the caller', async () => {
  parties.length = 0;
  const from = '2001:db8::1';
  await calls(1, 'GetOrganization', { from, token: memberToken });
  await calls(1, 'GetOrganization', { from, token: strangerToken });
  await calls(1, 'GetVersion', { party: 'account 7' });
  await calls(1, 'GetVersion', { party: 'account 7', credential: serviceCredential });
  await onBehalfOf('account 8', () => calls(1, 'GetVersion', { credential: serviceCredential }));
  await calls(1, 'GetVersion', { credential: serviceCredential });
  const network = '2001:db8:0:0::/64';
  expect(parties).toEqual([network, 'account 7', network, 'account 2', '127.0.0.1', 'account 7', 'account 8', '']);
});

it('services of ours are not limited, nor are internal methods', async () => {
  const credential = serviceCredential;
  expect(await calls(5, 'GetOrganization', { credential })).toEqual(Array(5).fill('NOT_FOUND'));
  expect(await calls(4, 'GetOrganization', { credential, token: badToken })).toEqual(Array(4).fill('UNAUTHENTICATED'));
  expect(await calls(4, 'GetStanding')).toEqual(Array(4).fill('UNAUTHENTICATED'));
  expect(await calls(1, 'GetStanding', { credential: new Secret('a wrong one') })).toEqual(['UNAUTHENTICATED']);
});
