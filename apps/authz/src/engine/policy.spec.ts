import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CredentialsMethod, OpenFgaApi } from '@openfga/sdk';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectClass } from '@platform/proto/authz/v1/decision';
import {
  administrativeTuples, assignmentTuple, describeClass, expectedRelations, fenceTuple, objectClasses, pairClasses,
  pairNames, pairOf, policySections, policyText, rolePairTuple, siteTuple, type Subject, systemAdminTuple, teamMembers,
  teamRightTuple, userObject,
} from '@platform/relations';
import { deadlineIn, repeatUntil, Secret, silentLogger } from '@platform/service';
import { openFgaStore } from '@platform/testing';
import { questionOf } from '../domain/question.ts';
import { EngineError } from './engine-error.ts';
import { createEngine, type Engine } from './engine.ts';
import { readModel } from './model.ts';

const ordinary = 3;
const administrative = 4;
const systemAdmin = 50;
const siteAdmin = 60;
const ranks = { member: 'none', viewer: 'read', editor: 'write', admin: 'admin', owner: 'owner' } as const;
const teamOf = (rank: keyof typeof ranks) => 10 + Object.keys(ranks).indexOf(rank);
const teamWithPair = (index: number) => 100 + index;

let engine: Engine;
let held: Map<string, readonly string[]>;

/** The engine's own answers, for every subject and class the policy shows. */
async function askEngine(subject: Subject, objectClass: ObjectClass, api: OpenFgaApi): Promise<string[]> {
  const administrates = objectClass === ObjectClass.OBJECT_CLASS_ADMINISTRATIVE_ORGANIZATION;
  const organizationId = administrates ? administrative : ordinary;
  const ownedByUser = describeClass(objectClass)!.owner === 'user';
  switch (subject.kind) {
    case 'owner_user':
      return ask(userObject(70), 0, objectClass);
    case 'system_admin':
      return ask(userObject(systemAdmin), organizationId, objectClass);
    case 'pair':
      return ask(teamMembers(teamWithPair(pairNames.indexOf(subject.pair))), organizationId, objectClass);
    case 'rank':
      return subject.rank === 'site_admin'
        ? askAsSiteAdmin(objectClass, ownedByUser ? 0 : organizationId, api)
        : ask(teamMembers(teamOf(subject.rank)), organizationId, objectClass);
  }
}

async function ask(principal: string, organizationId: number, objectClass: ObjectClass): Promise<string[]> {
  const question = questionOf(principal, organizationId, objectClass);
  if ('impossible' in question) throw new Error(question.impossible);
  // A busy machine may need longer than a call may take; that is no matter of the policy.
  const answers = await repeatUntil(() => engine.ask(question, deadlineIn(5_000)), { attempts: 10, again: isAway });
  return answers.relations;
}

const isAway = (error: unknown): boolean => error instanceof EngineError && error.failure === 'away';

/** Nobody asks the engine about a site admin (authorization.md R3); the model gives him everything all the same. */
async function askAsSiteAdmin(objectClass: ObjectClass, organizationId: number, api: OpenFgaApi): Promise<string[]> {
  const principal = organizationId === 0 ? userObject(70) : teamMembers(teamOf('member'));
  const question = questionOf(principal, organizationId, objectClass);
  if ('impossible' in question) throw new Error(question.impossible);
  const site = { user: userObject(siteAdmin), relation: 'admin', object: 'site:main' };
  const ofUser = { user: 'site:main', relation: 'site', object: userObject(70) };
  const { storeId, modelId } = await engine.established(deadlineIn(5_000));
  const found: string[] = [];
  for (const relation of question.relations) {
    const { allowed } = await api.check(storeId, {
      authorization_model_id: modelId,
      tuple_key: { user: userObject(siteAdmin), relation, object: question.object },
      contextual_tuples: { tuple_keys: [...question.contextual, site, ...(organizationId === 0 ? [ofUser] : [])] },
    });
    if (allowed === true) found.push(relation);
  }
  return found;
}

const keyOf = (subject: Subject, objectClass: ObjectClass) => `${JSON.stringify(subject)} ${objectClass}`;

beforeAll(async () => {
  const { url, presharedKey, storeName } = await openFgaStore();
  const key = new Secret(presharedKey);
  engine = createEngine({ url, presharedKey: key, storeName, model: readModel(), log: silentLogger });
  const api = new OpenFgaApi({
    apiUrl: url, credentials: { method: CredentialsMethod.ApiToken, config: { token: presharedKey } },
  });
  for (const organizationId of [ordinary, administrative]) {
    const teams = Object.entries(ranks).map(([rank, permission]) =>
      teamRightTuple(organizationId, teamOf(rank as keyof typeof ranks), permission));
    await engine.write([], [
      ...teams, siteTuple(organizationId), systemAdminTuple(organizationId, systemAdmin),
      fenceTuple(organizationId, randomUUID()),
      ...(organizationId === administrative ? administrativeTuples(administrative) : []),
    ], deadlineIn(5_000));
  }
  const roles = pairNames.flatMap((name, index) => [
    teamRightTuple(ordinary, teamWithPair(index), 'custom'),
    rolePairTuple(ordinary, teamWithPair(index), pairOf(name)),
    assignmentTuple(teamWithPair(index), teamWithPair(index)),
  ]);
  await engine.write([], roles.slice(0, 60), deadlineIn(5_000));
  await engine.write([], roles.slice(60), deadlineIn(5_000));

  held = new Map();
  const asked = [
    ...policySections.flatMap(({ objectClass, columns }) => columns.map(({ subject }) => ({ subject, objectClass }))),
    ...pairClasses.flatMap(({ objectClass }) => pairNames.map((pair) => ({
      subject: { kind: 'pair' as const, pair }, objectClass,
    }))),
  ];
  const waiting = asked.values();
  await Promise.all([1, 2].map(async () => {
    for (const { subject, objectClass } of waiting) {
      held.set(keyOf(subject, objectClass), await askEngine(subject, objectClass, api));
    }
  }));
}, 120_000);

describe('the model', () => {
  it('decides as the golden policy says', () => {
    const text = policyText((subject, objectClass) => held.get(keyOf(subject, objectClass))!);
    expect(text).toBe(readFileSync(join(import.meta.dirname, '../../policy.golden.md'), 'utf8'));
  });

  it('decides as the table says, for every class the policy shows', () => {
    const decided = [...held].map(([key, relations]) => [key, relations]);
    const expected = [...held.keys()].map((key) => {
      const [subject, objectClass] = [key.slice(0, key.lastIndexOf(' ')), key.slice(key.lastIndexOf(' ') + 1)];
      return [key, expectedRelations(JSON.parse(subject) as Subject, Number(objectClass) as ObjectClass)];
    });
    expect(decided).toEqual(expected);
    expect(new Set(policySections.map(({ objectClass }) => objectClass))).toEqual(
      new Set(objectClasses.map(({ objectClass }) => objectClass)),
    );
  });

  it('gives a site admin everything that can be asked', () => {
    for (const { objectClass, checkable } of objectClasses) {
      expect(held.get(keyOf({ kind: 'rank', rank: 'site_admin' }, objectClass))).toEqual(checkable);
    }
  });

  it('gives nothing to a team of another organization', async () => {
    const stranger = teamMembers(999);
    for (const { objectClass } of objectClasses.filter(({ owner }) => owner === 'organization')) {
      const own = objectClass === ObjectClass.OBJECT_CLASS_OWN_TEAM
        || objectClass === ObjectClass.OBJECT_CLASS_OWN_OWNERS_TEAM;
      if (!own) expect(await ask(stranger, ordinary, objectClass)).toEqual([]);
    }
  });
});
