import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { readImage } from '@platform/proto/image';
import { deadlineIn } from '@platform/service';
import { type AccessRule, type Check, type Method, readSurface } from '@platform/surface';
import {
  ann, deployment, newWorld, robot, sam, serveWorld, serviceCredential, stranger, type World,
} from '../fixtures/guarded-world.ts';
import type { FoundObject, ObjectName } from './guard-sources.ts';
import { type Admitted, createGuard, type Guard } from './guard.ts';

let world: World;
let sources: Awaited<ReturnType<typeof serveWorld>>;
let guard: Guard;
let anyMethod: Method;
/** The names with which the guard looked for objects. */
let sought: ObjectName[];

/** Organization 7 owns contract 10, the stranger owns contract 11; every account may have a cluster `hub`. */
const objects = {
  contract: async (name: ObjectName): Promise<FoundObject | undefined> => {
    sought.push(name);
    const ownerId = new Map([[10, 7], [11, 4]]).get(Number(name.keys[0]));
    return ownerId === undefined ? undefined : { id: Number(name.keys[0]), ownerId };
  },
  cluster: async (name: ObjectName): Promise<FoundObject | undefined> => {
    sought.push(name);
    return name.keys[0] === 'hub' && name.accountId !== undefined ? { id: 77, ownerId: name.accountId } : undefined;
  },
};

beforeAll(async () => {
  const surface = readSurface(await readImage());
  anyMethod = surface.methods.find(({ name }) => name === 'CheckOwner')!;
  sources = await serveWorld(surface, () => world);
});
afterAll(async () => sources[Symbol.asyncDispose]());

beforeEach(() => {
  world = newWorld();
  sought = [];
  guard = createGuard({ ...sources, objects }, { deployment, serviceCredentials: [serviceCredential] });
});

const onAccount: Check = {
  type: 'organization', object: undefined, relation: 'can_view_contracts', actionField: undefined, actions: new Map(),
  instead: [], missing: 'NOT_FOUND',
};
const onContract: Check = {
  ...onAccount, type: 'contract', relation: 'can_view', object: { type: 'contract', fields: ['id'], withinAccount: false },
};
const onCluster: Check = {
  ...onAccount, type: 'cluster', relation: 'can_view_clustersets',
  object: { type: 'cluster', fields: ['cluster'], withinAccount: true },
};
const ruleOf = (check: Check | undefined, account: { optional?: boolean; orUser?: boolean } = {}): AccessRule => ({
  who: 'token', account: { from: 'slug', field: 'org', optional: false, orUser: false, ...account }, right: undefined, check,
  tokenScope: 'read:contract',
});
const ownOrNamed = { optional: true };
const anyOwner = { orUser: true };

function admit(
  access: AccessRule, token: string, request: Record<string, unknown>, bodyFault?: Fault,
): Promise<Admitted> {
  return guard.admit({ ...anyMethod, access }, request, {
    deadline: deadlineIn(5_000), requestId: 'spec', token, serviceCredential: undefined, certificate: undefined,
    parameterFault: undefined, bodyFault, countsAs: 1,
  });
}

const reasonOf = (admitted: Promise<Admitted>) => admitted.then(() => 'OK', (error: Fault) => error.reason);
/** Returns the object that the handler of an admitted call gets, or the reason of the refusal. */
const objectOf = async (admitted: Promise<Admitted>): Promise<unknown> => {
  const { object } = await admitted;
  try {
    return object();
  } catch (error) {
    return (error as Fault).reason;
  }
};

describe('the scope of the token (open-points 18.2)', () => {
  const narrow = (...scopes: string[]) => world.tokens.set('narrow token', { id: 1, isAdmin: false, scopes });

  it.each([['all'], ['read:contract'], ['write:contract']])('%s is enough for reading contracts', async (scope) => {
    narrow('read:user', scope);
    expect(await reasonOf(admit(ruleOf(onAccount), 'narrow token', { org: 'org-7' }))).toBe('OK');
  });

  it('is refused before anything is said about account and relation', async () => {
    narrow('read:user', 'write:metrics');
    for (const org of ['org-7', 'org-100', 'nowhere', '']) {
      expect(await reasonOf(admit(ruleOf(onAccount), 'narrow token', { org }))).toBe('MISSING_SCOPE');
      expect(await reasonOf(admit(ruleOf(onContract), 'narrow token', { org, id: 10 }))).toBe('MISSING_SCOPE');
    }
    expect(world.asks).toBe(0);
  });

  it('is not guessed where orgs-teams says none', async () => {
    narrow();
    expect(await reasonOf(admit(ruleOf(onAccount), 'narrow token', { org: 'org-7' }))).toBe('UNAVAILABLE');
  });

  it('is looked at before a large message is read', async () => {
    narrow('read:user');
    const method = { ...anyMethod, access: ruleOf(onAccount) };
    const call = { token: 'narrow token', countsAs: 1, deadline: deadlineIn(5_000), requestId: 'spec' };
    await expect(guard.count(method, call)).rejects.toMatchObject({ reason: 'MISSING_SCOPE' });
  });
});

describe('an internal call', () => {
  it('is known as that of the operator by the credential of the operator alone', async () => {
    const access: AccessRule = { who: 'internal', account: undefined, right: undefined, check: undefined, tokenScope: undefined };
    const operator = 'the credential of the operator';
    const operatorVerifier = createHash('sha256').update(operator).digest();
    const own = createGuard(sources, { deployment, serviceCredentials: [serviceCredential], operatorVerifier });
    const byOperator = async (shown: string) => (await own.admit({ ...anyMethod, access }, {}, {
      deadline: deadlineIn(5_000), requestId: 'spec', token: undefined, serviceCredential: shown, certificate: undefined,
      parameterFault: undefined, bodyFault: undefined, countsAs: 1,
    })).byOperator;
    expect(await byOperator(operator)).toBe(true);
    expect(await byOperator(serviceCredential.reveal())).toBe(false);
  });
});

describe('the acting account (open-points 1.4)', () => {
  it.each(['', 'user-1', 'USER-1'])('is the account of the caller for the name "%s" where that is optional', async (org) => {
    const { account, admission } = await admit(ruleOf(onAccount, ownOrNamed), ann, { org });
    expect(account).toEqual({ kind: 'user', id: 1, name: 'user-1', named: org !== '' });
    expect(admission).toMatchObject({ callerId: 1, organizationId: 0, principals: [] });
    expect(world.asks).toBe(0);
  });

  it('is the organization for its token, found in the same question', async () => {
    const { account } = await admit(ruleOf(onAccount, ownOrNamed), robot, { org: '' });
    expect(account).toMatchObject({ kind: 'organization', id: 7, name: 'org-7', named: false });
    expect(world.counted).toBe(1);
  });

  it('is the organization named', async () => {
    const { account } = await admit(ruleOf(onAccount, ownOrNamed), ann, { org: 'org-2' });
    expect(account).toMatchObject({ kind: 'organization', id: 2, name: 'org-2', named: true, standing: { id: 2 } });
  });

  it.each([
    ['nothing where a name is required', ann, '', {}, 'MISSING_ORG'],
    ['an unknown name', ann, 'nobody-here', ownOrNamed, 'NOT_FOUND'],
    ['a private organization of others', stranger, 'org-100', ownOrNamed, 'NOT_FOUND'],
    ['an organization of others', stranger, 'org-7', ownOrNamed, 'NOT_ORG_MEMBER'],
    ['another user', ann, 'user-4', ownOrNamed, 'NOT_FOUND'],
    ['the caller, where an organization is required', ann, 'user-1', {}, 'NOT_FOUND'],
    ['another user, for a site admin', sam, 'user-4', ownOrNamed, 'NOT_FOUND'],
  ] as const)('is refused for %s', async (_what, token, org, account, reason) => {
    expect(await reasonOf(admit(ruleOf(onAccount, account), token, { org }))).toBe(reason);
  });

  it('may be a user where the rule says so, for that user and for site admins', async () => {
    const named = (token: string) => admit(ruleOf(onAccount, anyOwner), token, { org: 'user-4' });
    expect((await named(stranger)).account).toEqual({ kind: 'user', id: 4, name: 'user-4', named: true });
    expect((await named(sam)).account).toMatchObject({ kind: 'user', id: 4 });
    expect(await reasonOf(named(ann))).toBe('FORBIDDEN');
    expect(await reasonOf(named(robot))).toBe('FORBIDDEN');
    expect(await reasonOf(admit(ruleOf(onAccount, anyOwner), ann, { org: 'nobody-here' }))).toBe('NOT_FOUND');
  });
});

describe('an object by its id (open-points 1.5)', () => {
  const contract = (token: string, id: number, org = '') => admit(ruleOf(onContract, ownOrNamed), token, { org, id });

  it('is handed to the handler when it belongs to the acting account', async () => {
    expect(await objectOf(contract(stranger, 11))).toEqual({ id: 11, ownerId: 4 });
    expect(await objectOf(contract(ann, 10, 'org-7'))).toEqual({ id: 10, ownerId: 7 });
    expect(await objectOf(contract(sam, 10, 'org-7'))).toEqual({ id: 10, ownerId: 7 });
    expect(await objectOf(contract(robot, 10))).toEqual({ id: 10, ownerId: 7 });
  });

  it.each([
    ['their own account', ann, ''],
    ['their own account of a site admin', sam, ''],
    ['an organization', ann, 'org-2'],
    ['an organization, for a site admin', sam, 'org-2'],
  ])('of another account is as missing as one that does not exist, for %s', async (_what, token, org) => {
    expect(await objectOf(contract(token, 10, org))).toBe('NOT_FOUND');
    expect(await objectOf(contract(token, 11, org))).toBe('NOT_FOUND');
    expect(await objectOf(contract(token, 99, org))).toBe('NOT_FOUND');
  });

  it('is FORBIDDEN for a member without the relation, whether it exists or not', async () => {
    world.grounds = ['member'];
    for (const id of [10, 11, 99]) expect(await reasonOf(contract(ann, id, 'org-7'))).toBe('FORBIDDEN');
  });

  it('that is missing is refused as the rule declares', async () => {
    const rule = ruleOf({ ...onContract, missing: 'FORBIDDEN' }, ownOrNamed);
    expect(await objectOf(admit(rule, ann, { org: '', id: 10 }))).toBe('FORBIDDEN');
  });

  it('is not looked for on behalf of strangers', async () => {
    expect(await reasonOf(contract(stranger, 10, 'org-7'))).toBe('NOT_ORG_MEMBER');
    expect(sought).toEqual([]);
  });
});

describe('an object by its name within the account (open-points 12.1)', () => {
  const hub = (token: string, org: string, cluster = 'hub') =>
    admit(ruleOf(onCluster, anyOwner), token, { org, cluster });

  it('is found in the account named, organization or user', async () => {
    expect(await objectOf(hub(ann, 'org-7'))).toEqual({ id: 77, ownerId: 7 });
    expect(await objectOf(hub(stranger, 'user-4'))).toEqual({ id: 77, ownerId: 4 });
    expect(sought).toEqual([{ keys: ['hub'], accountId: 7 }, { keys: ['hub'], accountId: 4 }]);
  });

  it('is missing only for those who hold the relation', async () => {
    expect(await objectOf(hub(ann, 'org-7', 'other'))).toBe('NOT_FOUND');
    expect(await objectOf(hub(stranger, 'user-4', 'other'))).toBe('NOT_FOUND');
    expect(await reasonOf(hub(stranger, 'org-7', 'other'))).toBe('NOT_ORG_MEMBER');
    expect(await reasonOf(hub(ann, 'user-4', 'other'))).toBe('FORBIDDEN');
    world.revision = 'another';
    world.grounds = ['member'];
    expect(await reasonOf(hub(ann, 'org-7', 'other'))).toBe('FORBIDDEN');
  });
});

describe('a relation that depends on what the request sets', () => {
  const instead = [{ given: ['clusterId', 'wish.contractIds'], relation: 'can_issue_license' }];
  const rule = ruleOf({ ...onAccount, relation: 'can_create_license_proxy', instead }, ownOrNamed);
  const ask = (request: object, bodyFault?: Fault) => reasonOf(admit(rule, ann, { org: 'org-7', ...request }, bodyFault));

  beforeEach(() => {
    // An editor may issue licences, but may not create a licence proxy.
    world.grounds = ['member', 'viewer', 'editor'];
  });

  it('is the one of the check unless one of the fields is set', async () => {
    for (const request of [{}, { clusterId: '' }, { wish: { contractIds: [] } }, { wish: undefined }]) {
      expect(await ask(request)).toBe('FORBIDDEN');
    }
    for (const request of [{ clusterId: 'some uuid' }, { wish: { contractIds: [5] } }]) expect(await ask(request)).toBe('OK');
  });

  it('is any of them while the body cannot be read: the handler is not reached', async () => {
    const bodyFault = new Fault('MALFORMED_BODY', 'no JSON');
    expect(await ask({}, bodyFault)).toBe('OK');
    world.revision = 'another';
    world.grounds = ['member', 'viewer'];
    expect(await ask({}, bodyFault)).toBe('FORBIDDEN');
  });
});

describe('a method whose objects this process cannot find', () => {
  it('does not start', () => {
    const without = createGuard({ ...sources, objects: {} }, { deployment, serviceCredentials: [serviceCredential] });
    expect(() => without.prepare({ ...anyMethod, access: ruleOf(onCluster, anyOwner) })).toThrow(/no source/);
    expect(() => guard.prepare({ ...anyMethod, access: ruleOf(onCluster, anyOwner) })).not.toThrow();
  });
});
