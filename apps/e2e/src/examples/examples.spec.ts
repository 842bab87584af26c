import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleFiles, readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { callExample, shownAnswer } from './call-example.ts';
import { deploymentFor } from './deployments.ts';
import type { CallWorld } from './example-world.ts';
import { worldsFor } from './worlds.ts';

const { methods } = readSurface(await readImage());
const cases = [...(await readExamples())].map(([name, example]) => {
  return [name, methods.find(({ fullName }) => fullName === name)!, example] as const;
});
/** `RENEW_EXAMPLES=1 npm test -- e2e --testPathPatterns examples` writes what was answered into the files. */
const renewed = process.env['RENEW_EXAMPLES'] === '1' ? new Map<string, unknown>() : undefined;

afterAll(() => renewed && exampleFiles.forEach(renew));

describe.each(worldsFor(cases.map(([, method]) => method)))('on %s', (_type, deployment, start) => {
  let world: CallWorld & AsyncDisposable;
  beforeAll(async () => {
    world = await start();
  }, 120_000);
  afterAll(async () => world?.[Symbol.asyncDispose]());

  const triedHere = cases.filter(([, method]) => deploymentFor(method) === deployment);
  // In the order of the files: a token is made before it is read, and read before it is ended.
  it.each(triedHere)('%s answers as its example shows', async (name, method, example) => {
    const answer = await callExample(world, method, example);
    expect({ status: answer.status, refusal: answer.status < 400 ? undefined : answer.text }).toEqual({
      status: method.rest.status || 200, refusal: undefined,
    });
    const shown = shownAnswer(world, answer);
    renewed?.set(name, shown);
    if (!renewed) expect(shown).toEqual(example.answer);
  });
});

function renew(file: string): void {
  const area = file.slice(file.indexOf('/proto/') + '/proto/'.length, file.lastIndexOf('/')).replaceAll('/', '.');
  const examples = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
  for (const [name, example] of Object.entries(examples)) {
    const answer = renewed!.get(`${area}.${name}`);
    if (answer !== undefined) examples[name] = { ...example, answer };
  }
  writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`);
}
