import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { type ExampleWorld, startExampleWorld } from '../examples/example-world.ts';
import { callersOf, ofAll } from './callers.ts';
import { casesOf } from './cases.ts';
import { type Callers, tryOverGrpc, tryOverRest } from './try-callers.ts';

const { methods } = readSurface(await readImage());
const examples = await readExamples();
const cases = methods.flatMap((method) => casesOf(method, examples));

let stack: AsyncDisposableStack;
let world: ExampleWorld;
let who: Callers;
beforeAll(async () => {
  stack = new AsyncDisposableStack();
  world = stack.use(await startExampleWorld());
  who = stack.use(await callersOf(world));
}, 120_000);
afterAll(() => stack.disposeAsync());

const bound = cases.filter(({ method }) => method.http !== undefined).map((one) => [one.name, one] as const);

it.each(bound)('%s admits and refuses over REST as its access rule says', async (_name, one) => {
  expect(await ofAll((caller) => tryOverRest(who, one, caller))).toEqual([]);
});

const served = cases.flatMap((one) => one.method.hosts.map((host) => [one.name, host, one] as const));

it.each(served)('%s admits and refuses over gRPC at %s as its access rule says', async (_name, host, one) => {
  expect(await ofAll((caller) => tryOverGrpc(who, one, host, caller))).toEqual([]);
});
