import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from '@jest/globals';
import { readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { committedFiles } from './committed.ts';
import { impliedRefusals } from './refusals.ts';

const surface = readSurface(await readImage());
const examples = await readExamples();
const files = committedFiles(surface, examples);

test.each(files.map((one) => [basename(one.file), one] as const))(
  '%s is what follows from the protos (npm run generate -- --golden renews it)',
  (_name, { file, text }) => {
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(text);
  },
);

test('a method without an example, or an example of no method, stops everything', () => {
  const [first] = examples.keys();
  const others = new Map([...examples].filter(([name]) => name !== first));
  expect(() => committedFiles(surface, others)).toThrow(`${first} has no example`);
  expect(() => committedFiles(surface, new Map([...examples, ['nobody.Knows', {}]]))).toThrow('Knows has an example');
});

test('no method lists a refusal that follows anyway, or denies one that does not', () => {
  const wrong = surface.methods.flatMap((method) => {
    const implied = impliedRefusals(method);
    // FORBIDDEN follows from the guard, but a method may list it too if its handler also refuses with it.
    const listed = method.faults.filter((reason) => implied.has(reason) && reason !== 'FORBIDDEN');
    const denied = method.neverAnswers.filter((reason) => !implied.has(reason));
    return [...listed, ...denied].map((reason) => `${method.fullName} ${reason}`);
  });
  expect(wrong).toEqual([]);
});
