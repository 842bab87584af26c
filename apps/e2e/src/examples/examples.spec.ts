import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { exampleFiles, readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { callExample, shownAnswer } from './call-example.ts';
import { type ExampleWorld, startExampleWorld } from './example-world.ts';

const { methods } = readSurface(await readImage());
const cases = [...(await readExamples())].map(([name, example]) => {
  return [name, methods.find(({ fullName }) => fullName === name)!, example] as const;
});
/** `RENEW_EXAMPLES=1 npm test -- e2e --testPathPatterns examples` writes what was answered into the files. */
const renewed = process.env['RENEW_EXAMPLES'] === '1' ? new Map<string, unknown>() : undefined;

let world: ExampleWorld;
beforeAll(async () => {
  world = await startExampleWorld();
}, 120_000);
afterAll(async () => {
  if (renewed) exampleFiles.forEach(renew);
  await world?.[Symbol.asyncDispose]();
});

// In the order of the files: a token is made before it is read, and read before it is ended.
it.each(cases)('%s answers as its example shows', async (name, method, example) => {
  const answer = await callExample(world, method, example);
  expect({ status: answer.status, refusal: answer.status < 400 ? undefined : answer.text }).toEqual({
    status: method.rest.status || 200, refusal: undefined,
  });
  const shown = shownAnswer(world, answer);
  renewed?.set(name, shown);
  if (!renewed) expect(shown).toEqual(example.answer);
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
