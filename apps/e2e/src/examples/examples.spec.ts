import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, sql } from '@platform/postgres';
import { exampleFiles, readExamples } from '@platform/proto/examples';
import { readImage } from '@platform/proto/image';
import type { SchemaServiceName } from '@platform/service';
import { Makes, type Method, readSurface } from '@platform/surface';
import type { World } from '../orgs/world.ts';
import { callExample, shownAnswer } from './call-example.ts';
import { deploymentFor } from './deployments.ts';
import type { CallWorld } from './example-world.ts';
import { worldsFor } from './worlds.ts';

const { methods } = readSurface(await readImage());
const cases = [...(await readExamples())].map(([name, example]) => {
  return [name, methods.find(({ fullName }) => fullName === name)!, example] as const;
});
/** `RENEW_EXAMPLES=1 npm test -- e2e --testPathPatterns examples` writes the answers into the files. */
const renewed = process.env['RENEW_EXAMPLES'] === '1' ? new Map<string, unknown>() : undefined;

afterAll(() => renewed && exampleFiles.forEach(renew));

describe.each(worldsFor(cases.map(([, method]) => method)))('on %s', (_type, deployment, start) => {
  let world: CallWorld & AsyncDisposable;
  beforeAll(async () => {
    world = await start();
  }, 120_000);
  afterAll(async () => world?.[Symbol.asyncDispose]());

  const triedHere = cases.filter(([, method]) => deploymentFor(method) === deployment);
  // In the order of the files: a token is made, then read, then revoked.
  it.each(triedHere)('%s answers as its example shows', async (name, method, example) => {
    const makes = method.rest.makes !== Makes.UNSPECIFIED;
    const headers = makes ? { 'idempotency-key': randomUUID() } : {};
    const first = await callExample(world, method, example, headers);
    const refusal = first.status < 400 ? undefined : first.text;
    expect({ status: first.status, refusal }).toEqual({ status: method.rest.status || 200, refusal: undefined });
    const shown = shownAnswer(world, first);
    renewed?.set(name, shown);
    if (!renewed) expect(shown).toEqual(example.answer);
    if (!makes) return;
    // After a crash before its answer was stored, a creation in several steps continues with its stored steps.
    const isInSteps = method.rest.makes === Makes.IN_STEPS;
    if (isInSteps) await cutOff(world.world, method);
    const answer = isInSteps ? await callExample(world, method, example, headers) : first;
    expect([answer.status, shownAnswer(world, answer)]).toEqual([first.status, shown]);
    // A creation answers a repetition in the same way (open-points 18.8).
    const again = await callExample(world, method, example, headers);
    expect([again.status, again.text, again.header('idempotent-replayed')]).toEqual([answer.status, answer.text, 'true']);
  });
});

/** Leaves the last request to a service in the state of a crash before its answer is stored. */
async function cutOff({ platform }: World, { hosts }: Method): Promise<void> {
  const database = platform.databases[hosts[0] as SchemaServiceName];
  await using rows = connect({ ...database, applicationName: 'spec', maxConnections: 1 });
  const cut = await rows.execute(sql`
    update kept_answer
       set claim = gen_random_uuid(), claimed_until = now(), refused = null, sealed_by = null, sealed_secret = null
     where id = (select max(id) from kept_answer)`);
  expect(cut).toBe(1);
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
