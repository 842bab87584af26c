import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readExamples } from '@platform/proto/examples';
import { api, seedOfRun } from '@platform/testing';
import { deploymentFor, hosted } from '../examples/deployments.ts';
import type { CallWorld, ExampleWorld } from '../examples/example-world.ts';
import { worldsFor } from '../examples/worlds.ts';
import { callersOf, callersOfDay, ofAll } from './callers.ts';
import { casesOf } from './cases.ts';
import { type Attacked, attackedOf } from './isolation.ts';
import { describeIsolation } from './isolation-cases.ts';
import { describePlanted } from './planted-cases.ts';
import { type Callers, tryOverGrpc, tryOverRest } from './try-callers.ts';

const { methods } = (await api()).surface;
const examples = await readExamples();
const cases = methods.flatMap((method) => casesOf(method, examples));
const seed = seedOfRun();

// All specs about callers share one world, because their calls change nothing that another spec reads.
describe.each(worldsFor(methods))('on %s', (_type, deployment, start) => {
  const stack = new AsyncDisposableStack();
  let world: CallWorld;
  let who: Callers;
  let attacked: Attacked;
  beforeAll(async () => {
    world = stack.use(await start());
    who = stack.use(await callersOf(world, deployment));
    if (deployment === hosted) attacked = stack.use(await attackedOf(world as ExampleWorld));
  }, 120_000);
  afterAll(() => stack.disposeAsync());

  // On the hosted deployment, missing operations are refused; the other deployments try them.
  const triedHere = cases.filter(({ method }) => deployment === hosted || deploymentFor(method) === deployment);
  const bound = triedHere.filter(({ method }) => method.http !== undefined).map((one) => [one.name, one] as const);

  it.each(bound)('%s admits and refuses over REST as its access rule says', async (_name, one) => {
    expect(await ofAll(callersOfDay(one, seed), (caller) => tryOverRest(who, one, caller))).toEqual([]);
  });

  const served = triedHere.flatMap((one) => one.method.hosts.map((host) => [one.name, host, one] as const));

  it.each(served)('%s admits and refuses over gRPC at %s as its access rule says', async (_name, host, one) => {
    expect(await ofAll(callersOfDay(one, seed), (caller) => tryOverGrpc(who, one, host, caller))).toEqual([]);
  });

  if (deployment !== hosted) return;
  describeIsolation(cases, () => attacked);
  describePlanted(() => ({ world: world.world, who, attacked }));
});
