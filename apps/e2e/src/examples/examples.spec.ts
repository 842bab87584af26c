import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { documentPath } from '@platform/openapi';
import { type Example, exampleFiles, readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import { type Method, readSurface } from '@platform/surface';
import type { HttpAnswer } from '@platform/testing';
import sharp from 'sharp';
import { formBody } from '../orgs/form-body.ts';
import { asDocumented } from './as-documented.ts';
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
  const answer = await call(method, example);
  const isJson = answer.header('content-type') === 'application/json';
  expect({ status: answer.status, refusal: answer.status < 400 ? undefined : answer.text }).toEqual({
    status: method.rest.status || 200, refusal: undefined,
  });
  const shown = isJson ? asDocumented(answer.json(), world.meant) : undefined;
  renewed?.set(name, shown);
  if (!renewed) expect(shown).toEqual(example.answer);
});

async function call(method: Method, { as = 'owner', parameters = {}, body }: Example): Promise<HttpAnswer> {
  const { http, rest } = method;
  const value = (given: unknown) => encodeURIComponent(String(world.meant.get(given) ?? given));
  const path = documentPath(method);
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!));
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => value(parameters[name]));
  const query = Object.entries(parameters).filter(([key]) => !inPath.has(key));
  const target = `${address}?${query.map(([key, given]) => `${key}=${value(given)}`).join('&')}`;
  const payload = body === undefined ? {} : rest.multipartOnly ? await form(method, body) : { json: meantIn(body) };
  return world.as[as].send(http!.verb, target, payload);
}

/** The body with the ids of this run. */
function meantIn(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (_, value: unknown) => world.meant.get(value) ?? value);
}

/** The body as a form, a picture for each file. */
async function form(method: Method, body: unknown) {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } }).png().toBuffer();
  const parts = Object.entries(body as Record<string, string>).map(([name, content]) => {
    const isFile = method.input.fields.find(({ jsonName }) => jsonName === name)!.message?.typeName === 'platform.File';
    return isFile ? { name, filename: 'picture.png', type: 'image/png', content: picture } : { name, content };
  });
  return formBody(parts);
}

function renew(file: string): void {
  const area = file.slice(file.indexOf('/proto/') + '/proto/'.length, file.lastIndexOf('/')).replaceAll('/', '.');
  const examples = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
  for (const [name, example] of Object.entries(examples)) {
    const answer = renewed!.get(`${area}.${name}`);
    if (answer !== undefined) examples[name] = { ...example, answer };
  }
  writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`);
}
