import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Fault, unavailable } from '@platform/faults';
import { readImage } from '@platform/proto/image';
import { createMetrics, deadlineIn, pause } from '@platform/service';
import { type Method, readSurface } from '@platform/surface';
import { until } from '@platform/testing';
import type { IncomingCall } from '../call-context.ts';
import {
  ann, bob, deployment, newWorld, robot, sam, serveWorld, serviceCredential, stranger, type World,
} from '../fixtures/guarded-world.ts';
import { createGuard, type Guard } from './guard.ts';

let world: World;
let sources: Awaited<ReturnType<typeof serveWorld>>;
let guard: Guard;
let owned: Method;
let creating: Method;

beforeAll(async () => {
  const surface = readSurface(await readImage());
  owned = surface.methods.find(({ name }) => name === 'CheckOwner')!;
  creating = surface.methods.find(({ name }) => name === 'CreateOrganization')!;
  sources = await serveWorld(surface, () => world);
});
afterAll(async () => {
  await sources[Symbol.asyncDispose]();
});

beforeEach(() => {
  world = newWorld();
  guard = createGuard(sources, { deployment, serviceCredentials: [serviceCredential] });
});

const incoming = (token: string, within = 5_000, countsAs = 1): IncomingCall => ({
  deadline: deadlineIn(within), requestId: 'spec', token, serviceCredential: undefined, certificate: undefined,
  parameterFault: undefined, bodyFault: undefined, countsAs,
});

/** Calls a method that only owners may call. Returns `OK`, or the reason if the guard refuses the call. */
async function request(
  token: string, { organization = 1, within = 5_000, countsAs = 1 } = {},
): Promise<string> {
  const call = incoming(token, within, countsAs);
  const { account: source } = owned.access;
  const field = source?.from === 'slug' ? source.field : '';
  return guard.admit(owned, { [field]: `org-${organization}` }, call).then(() => 'OK', (error: Fault) => error.reason);
}

/** Holds all questions to the engine until released. */
function holdEngine(): () => void {
  const gate = Promise.withResolvers<void>();
  world.whileAsked = () => gate.promise;
  return () => {
    gate.resolve();
    world.whileAsked = async () => undefined;
  };
}

describe('a decision', () => {
  it('needs no question for a site admin or a caller who is in no team (R3)', async () => {
    expect(await request(sam)).toBe('OK');
    expect(await request(stranger)).toBe('NOT_ORG_MEMBER');
    expect(world.asks).toBe(0);
  });

  it('that refuses is asked once, however many requests follow (R4)', async () => {
    world.grounds = ['member', 'viewer'];
    expect(await request(ann)).toBe('FORBIDDEN');
    const flood = await Promise.all(Array.from({ length: 200 }, (_, index) => request(index % 2 === 0 ? ann : bob)));
    expect(new Set(flood)).toEqual(new Set(['FORBIDDEN']));
    expect(world.asks).toBe(1);
  });

  it('holds while units are pending, as long as the revision is the same (R4)', async () => {
    expect(await request(ann)).toBe('OK');
    world.pending = true;
    expect(await request(ann)).toBe('OK');
    expect([world.asks, world.settles]).toEqual([1, 0]);
  });

  it('is made again for a new revision', async () => {
    expect(await request(ann)).toBe('OK');
    world.grounds = ['member'];
    world.revision = randomUUID();
    expect(await request(ann)).toBe('FORBIDDEN');
    expect(world.asks).toBe(2);
  });

  it('is made again once another model has answered', async () => {
    expect(await request(ann, { organization: 1 })).toBe('OK');
    world.model = 'model-2';
    expect(await request(ann, { organization: 2 })).toBe('OK');
    expect(await request(ann, { organization: 1 })).toBe('OK');
    expect(world.asks).toBe(3);
  });

  it('that is kept holds while the engine is down; others are UNAVAILABLE, which is not kept', async () => {
    expect(await request(ann, { organization: 1 })).toBe('OK');
    world.whileAsked = () => Promise.reject(unavailable('the engine'));
    expect(await request(ann, { organization: 1 })).toBe('OK');
    expect(await request(ann, { organization: 2 })).toBe('UNAVAILABLE');
    world.whileAsked = async () => undefined;
    expect(await request(ann, { organization: 2 })).toBe('OK');
  });
});

describe('what the system admin of an organization holds', () => {
  const manage = (relation: string) => {
    const { access } = owned;
    const ask = { ...owned, access: { ...access, check: { ...access.check!, relation } } };
    return guard.admit(ask, { orgname: 'org-7' }, incoming(robot)).then(() => 'OK', (error: Fault) => error.reason);
  };

  it('follows from rows: a process that has just started decides while the engine is away', async () => {
    world.whileAsked = () => Promise.reject(unavailable('the engine'));
    world.pending = true;
    expect(await manage('can_issue_license')).toBe('OK');
    expect(await manage('can_view_contracts')).toBe('OK');
    expect(await manage('can_create_license_proxy')).toBe('FORBIDDEN');
    expect(await manage('owner')).toBe('FORBIDDEN');
    expect([world.asks, world.settles]).toEqual([0, 0]);
    expect(await request(ann, { organization: 7 })).toBe('UNAVAILABLE');
  });
});

describe('a right of the account', () => {
  const create = (token: string) => guard.admit(creating, {}, incoming(token));

  it('is asked with the standing, and is part of the admission', async () => {
    world.right = { held: true, whyNot: '' };
    expect((await create(ann)).admission).toMatchObject({ callerId: 1, right: creating.access.right!.number });
  });

  it('that the account lacks is refused with its own reason and says why', async () => {
    world.right = { held: false, whyNot: 'not today' };
    await expect(create(ann)).rejects.toMatchObject({ reason: 'ORG_CREATION_DENIED', message: 'not today' });
  });

  it('without an answer is UNAVAILABLE', async () => {
    await expect(create(ann)).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
  });

  it('is held by every site admin', async () => {
    world.right = { held: false, whyNot: 'not today' };
    expect((await create(sam)).admission).toMatchObject({ isAdmin: true, right: undefined });
  });
});

describe('a miss (R5)', () => {
  it('is one question for all who wait for it', async () => {
    const release = holdEngine();
    const waiting = Array.from({ length: 40 }, (_, index) => request(index % 2 === 0 ? ann : bob));
    await until(() => world.asks > 0, { what: 'the engine is asked' });
    release();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['OK']));
    expect(world.asks).toBe(1);
  });

  it('goes on when the caller who asked first gives up', async () => {
    const release = holdEngine();
    const first = request(ann, { within: 300 });
    await until(() => world.asks > 0, { what: 'the engine is asked' });
    const second = request(bob);
    expect(await first).toBe('UNAVAILABLE');
    release();
    expect(await second).toBe('OK');
    expect(world.asks).toBe(1);
  });

  it('is decided for the others when the token of the first caller is revoked meanwhile', async () => {
    const release = holdEngine();
    const [first, second] = [request(ann), until(() => world.asks > 0, { what: 'asked' }).then(() => request(bob))];
    await until(() => world.asks > 0, { what: 'the engine is asked' });
    world.tokens.delete(ann);
    release();
    expect(await first).toBe('UNAUTHENTICATED');
    expect(await second).toBe('OK');
  });

  it('settles pending units first', async () => {
    world.pending = true;
    expect(await request(ann)).toBe('OK');
    expect([world.settles, world.asks]).toEqual([1, 1]);
  });

  it('keeps nothing of an answer during which the revision changed', async () => {
    world.whileAsked = async () => {
      if (world.asks > 1) return;
      world.revision = randomUUID();
      world.grounds = ['member'];
    };
    expect(await request(ann)).toBe('FORBIDDEN');
    expect(world.asks).toBe(2);
    expect(await request(ann)).toBe('FORBIDDEN');
    expect(world.asks).toBe(2);
  });

  it('is UNAVAILABLE while the revision keeps changing', async () => {
    world.whileAsked = async () => {
      world.revision = randomUUID();
    };
    expect(await request(ann, { within: 400 })).toBe('UNAVAILABLE');
    expect(world.asks).toBeGreaterThan(1);
  });

  it('reports a lost store, waits until it is filled, and keeps nothing of its answer', async () => {
    world.fence = '';
    world.grounds = [];
    world.whileAsked = async () => {
      world.grounds = ['member', 'viewer', 'editor', 'admin', 'owner'];
    };
    expect(await request(ann)).toBe('OK');
    expect([world.lost, world.asks]).toEqual([1, 2]);
    expect(world.settles).toBeGreaterThan(0);
  });

  it('runs at most twice at a time for one caller, and delays no others', async () => {
    const release = holdEngine();
    const many = Array.from({ length: 6 }, (_, index) => request(ann, { organization: index + 1 }));
    await until(() => world.asks === 2, { what: 'two questions are put' });
    const other = request(bob, { organization: 9 });
    await until(() => world.asks === 3, { what: 'the other caller is served' });
    expect(world.mostAtOnce).toBe(3);
    release();
    expect(new Set(await Promise.all([...many, other]))).toEqual(new Set(['OK']));
    expect(world.asks).toBe(7);
  });

  it('ends with the first team that gives the relation; a refusal needs all of them', async () => {
    world.teams = 9;
    expect(await request(ann)).toBe('OK');
    expect(world.asks).toBe(2);
    world.revision = randomUUID();
    world.grounds = ['member'];
    expect(await request(ann)).toBe('FORBIDDEN');
    expect(world.asks).toBe(11);
    expect(await request(bob)).toBe('FORBIDDEN');
    expect(world.asks).toBe(11);
  });

  it('never keeps more than its bytes', async () => {
    const metrics = createMetrics({ service: 'spec', defaults: false });
    guard = createGuard(sources, { deployment, serviceCredentials: [serviceCredential], decisionBytes: 3_000, metrics });
    for (let organization = 1; organization <= 20; organization += 1) await request(ann, { organization });
    expect(await request(ann, { organization: 20 })).toBe('OK');
    expect(world.asks).toBe(20);
    expect(await request(ann, { organization: 1 })).toBe('OK');
    expect(world.asks).toBe(21);
    const { text } = await metrics.render();
    expect(text).toContain('authorization_flights_total{service="spec"} 21');
    expect(text).toContain('authorization_decisions_total{source="engine",service="spec"} 21');
    expect(text).toMatch(/^authorization_grounds_kept\{service="spec"\} \d+$/m);
  });
});

describe('the rate of an account (open-points 1.9)', () => {
  it('counts each request once, however often its rows are read', async () => {
    world.pending = true;
    const standings = countStandings();
    expect(await request(ann)).toBe('OK');
    expect(standings()).toBeGreaterThan(2);
    expect(world.counted).toBe(1);
    expect(await request(ann)).toBe('OK');
    expect(await request(ann, { countsAs: 0 })).toBe('OK');
    expect(world.counted).toBe(2);
  });
});

describe('a standing that became old while the engine was slow (R6)', () => {
  it('is read again', async () => {
    world.whileAsked = async () => {
      await pause(1_100);
      world.whileAsked = async () => undefined;
    };
    const asked = request(ann);
    await until(() => world.asks > 0, { what: 'the engine is asked' });
    // Two reads follow: one confirms the revision, and one gets the standing for the repeated decision.
    const standings = countStandings();
    expect(await asked).toBe('OK');
    expect(standings()).toBe(2);
    expect(world.asks).toBe(1);
    expect(world.counted).toBe(1);
  });
});

/** Counts how often rows are read for Ann from now on. */
function countStandings(): () => number {
  let count = 0;
  const { tokens } = world;
  world.tokens = new Proxy(tokens, {
    get: (map, name) => {
      if (name === 'get') count += 1;
      const value: unknown = Reflect.get(map, name);
      return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(map) : value;
    },
  });
  return () => count;
}
