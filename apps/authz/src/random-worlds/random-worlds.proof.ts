import { randomUUID } from 'node:crypto';
import { objectClasses, type RelationTuple } from '@platform/relations';
import { createGuard } from '@platform/rpc';
import { deadlineIn, repeatUntil, Secret, silentLogger } from '@platform/service';
import { openFgaStore, type ProofOptions, type ProofResult, seeded, testSecret } from '@platform/testing';
import { createEngine, type Engine } from '../engine/engine.ts';
import { readModel } from '../engine/model.ts';
import { relationsHeldOn } from '../relations-of-objects.ts';
import { askGrounds } from '../decisions/ask-grounds.ts';
import { userQuestion } from './user-question.ts';
import {
  callerOf, changeSomething, type OwnedObject, randomWorld, standingOf, storedTuples, type World,
} from './world.ts';

export const name = 'random-worlds';
export const describe = 'In random worlds that change, the guard decides by principal, revision and grounds in the '
  + 'same way as the engine decides for the user and the object: 200,000 decisions, 0 different.';

export const servers = true;

const wholeDecisions = 200_000;
const idsPerWorld = 1_000;
const roundsPerWorld = 4;
const changesPerRound = 3;
const pairsPerRound = 25;
const callMs = 30_000;

/** Counters of the finished checks. A resumed run continues after these worlds, with new ids. */
interface Progress {
  worlds: number;
  decisions: number;
  held: number;
}

export async function prove(options: ProofOptions): Promise<ProofResult> {
  const engine = await openEngine();
  const wanted = Math.ceil(wholeDecisions * options.share);
  const progress = { worlds: 0, decisions: 0, held: 0, ...(options.resume as Partial<Progress> | undefined) };
  const different: string[] = [];
  while (progress.decisions < wanted) {
    await checkWorld(engine, options.seed, progress, different, wanted);
    progress.worlds += 1;
    if (progress.worlds % 25 === 0) {
      options.report(`${progress.worlds} worlds, ${progress.decisions} decisions, ${different.length} different`);
      await options.checkpoint?.(progress);
    }
  }
  const { decisions, held, worlds } = progress;
  return {
    figure: `${decisions} decisions in ${worlds} worlds, ${held} of them allows, ${different.length} different`,
    // The proof would be void if users always or never had the rights.
    holds: different.length === 0 && held > decisions / 20 && held < decisions,
    counterexamples: different.slice(0, 20),
  };
}

async function openEngine(): Promise<Engine> {
  const { url, presharedKey, storeName } = await openFgaStore();
  return createEngine({
    url, presharedKey: new Secret(presharedKey), storeName, model: readModel(), log: silentLogger,
  });
}

async function checkWorld(
  engine: Engine, seed: number, progress: Progress, different: string[], wanted: number,
): Promise<void> {
  const choices = seeded(`${seed} ${progress.worlds}`);
  const world = randomWorld(choices, progress.worlds * idsPerWorld + 1);
  const guard = guardOf(engine, world);
  let stored: RelationTuple[] = [];
  for (let round = 0; round < roundsPerWorld && progress.decisions < wanted; round += 1) {
    for (let change = 0; round > 0 && change < changesPerRound; change += 1) changeSomething(world, choices);
    stored = await bringInLine(engine, stored, storedTuples(world));
    for (let pair = 0; pair < pairsPerRound && progress.decisions < wanted; pair += 1) {
      const object = choices.pick(world.objects);
      const systemAdmins = world.organizations.map(({ systemAdmin }) => systemAdmin);
      const accountId = choices.pick([...world.users, ...world.users, ...systemAdmins]);
      // For an object that is a user, ask only about that user and about site admins.
      if (object.type === 'user' && object.id !== accountId && !world.siteAdmins.has(accountId)) continue;
      const relations = relationsOn(world, object);
      const ours = await decide(guard, world, accountId, object);
      const question = userQuestion(world, accountId, object, relations);
      const theirs = (await patiently(() => engine.ask(question, deadlineIn(callMs)))).relations;
      progress.decisions += relations.length;
      progress.held += theirs.length;
      const wrong = relations.filter((relation) => ours.has(relation) !== theirs.includes(relation));
      different.push(...wrong.map((relation) =>
        `world ${progress.worlds}, round ${round}: user:${accountId} ${relation} ${object.type}:${object.id}: `
        + `ours ${ours.has(relation)}`));
    }
  }
}

/** Repeats a failed call. On a busy machine, a call may exceed its deadline. That is not a different decision. */
function patiently<T>(ask: () => Promise<T>): Promise<T> {
  return repeatUntil(ask, { attempts: 20 });
}

/** A guard that takes the rows from the world, asks the engine for grounds and caches the answers. */
function guardOf(engine: Engine, world: World) {
  return createGuard({
    standing: async ({ token, organizationIds }) => ({
      caller: callerOf(world, Number(token)),
      organizations: organizationIds.map((id) => standingOf(world, Number(token), id)),
    }),
    ask: (request, call) => patiently(() => askGrounds(engine)(request, call)),
    settle: () => Promise.reject(new Error('nothing is pending in a world that is in line')),
    reportLostStore: () => Promise.reject(new Error('every organization of the world has a fence')),
    objects: {},
  }, {
    deployment: { type: 'SelfHostedProduction', runMode: 'prod', billing: 'auto' },
    serviceCredentials: [new Secret(testSecret())],
  });
}

async function decide(
  guard: ReturnType<typeof guardOf>, world: World, accountId: number, { type, owner }: OwnedObject,
): Promise<ReadonlySet<string>> {
  const context = {
    requestId: randomUUID(), deadline: deadlineIn(callMs), token: String(accountId), caller: callerOf(world, accountId),
  };
  const standing = standingOf(world, accountId, owner.ownerId);
  return new Set(await relationsHeldOn(guard, type, owner, standing, context));
}

/** All relations that can be checked on an object. Only the administrative organization has relations of the site. */
function relationsOn(world: World, { type, owner }: OwnedObject): readonly string[] {
  const organization = world.organizations.find(({ id }) => id === owner.ownerId);
  const checkable = objectClasses
    .filter((known) => known.type === type && known.owner === (organization ? 'organization' : 'user'))
    .map((known) => known.checkable)
    .sort((a, b) => a.length - b.length);
  return (organization?.administrative ? checkable.at(-1) : checkable[0]) ?? [];
}

/** Changes the tuples in the engine from `before` to `after`. Writes only the difference. */
async function bringInLine(engine: Engine, before: RelationTuple[], after: RelationTuple[]): Promise<RelationTuple[]> {
  const key = ({ user, relation, object }: RelationTuple) => `${object}#${relation}@${user}`;
  const [had, has] = [new Set(before.map(key)), new Set(after.map(key))];
  const deletes = before.filter((tuple) => !has.has(key(tuple)));
  const writes = after.filter((tuple) => !had.has(key(tuple)));
  for (let from = 0; from < Math.max(deletes.length, writes.length); from += 50) {
    await engine.write(deletes.slice(from, from + 50), writes.slice(from, from + 50), deadlineIn(callMs));
  }
  return after;
}
