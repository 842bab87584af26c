import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { deploymentFor, hosted } from '../examples/deployments.ts';
import { worldsFor } from '../examples/worlds.ts';
import { callersOf, ofAll } from './callers.ts';
import { casesOf } from './cases.ts';
import { type Callers, tryOverGrpc, tryOverRest } from './try-callers.ts';

const { methods } = readSurface(await readImage());
const examples = await readExamples();
const cases = methods.flatMap((method) => casesOf(method, examples));

describe.each(worldsFor(methods))('on %s', (_type, deployment, start) => {
  let stack: AsyncDisposableStack;
  let who: Callers;
  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    who = stack.use(await callersOf(stack.use(await start()), deployment));
  }, 120_000);
  afterAll(() => stack.disposeAsync());

  // Hosted refuses what it does not have; that is tried elsewhere, too.
  const triedHere = cases.filter(({ method }) => deployment === hosted || deploymentFor(method) === deployment);
  const bound = triedHere.filter(({ method }) => method.http !== undefined).map((one) => [one.name, one] as const);

  it.each(bound)('%s admits and refuses over REST as its access rule says', async (_name, one) => {
    expect(await ofAll((caller) => tryOverRest(who, one, caller))).toEqual([]);
  });

  const served = triedHere.flatMap((one) => one.method.hosts.map((host) => [one.name, host, one] as const));

  it.each(served)('%s admits and refuses over gRPC at %s as its access rule says', async (_name, host, one) => {
    expect(await ofAll((caller) => tryOverGrpc(who, one, host, caller))).toEqual([]);
  });
});
