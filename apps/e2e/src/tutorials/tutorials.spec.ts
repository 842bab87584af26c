import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { environmentName, grpcServices } from '@platform/service';
import { repositoryRoot } from '@platform/testing';
import { type RunningPlatform, startPlatform } from '../platform.ts';
import { readTutorials, stepsOf } from './read-tutorial.ts';
import { lackingIn, runSteps } from './run-tutorial.ts';

let platform: RunningPlatform, folder: string;
beforeAll(async () => {
  platform = await startPlatform();
  folder = await mkdtemp(join(tmpdir(), 'tutorials-'));
  const run = { baseUrl: platform.baseUrl, admin: { username: 'platform-admin', token: platform.adminToken } };
  await writeFile(join(folder, 'run.json'), JSON.stringify(run));
  // A user who installs a release has the command in PATH.
  await mkdir(join(folder, 'bin'));
  await symlink(join(repositoryRoot, 'platform'), join(folder, 'bin/platform'));
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Values that the commands usually read from the launcher's state. The services of specs run without a launcher. */
function environment(): Record<string, string> {
  const addresses = grpcServices.map((service) => [environmentName(service.addresses), platform.grpc[service.name]]);
  return {
    ...Object.fromEntries(addresses) as Record<string, string>,
    PLATFORM_HOME: folder, XDG_CONFIG_HOME: folder, PLATFORM_TOKEN: platform.serviceCredential,
  };
}

/** Variables that earlier commands of the tutorial on a cluster have set. */
function ofCluster(): Record<string, string> {
  const { baseUrl: BASE, adminToken: TOKEN } = platform;
  return { ...environment(), PATH: `${folder}/bin:${process.env['PATH']}`, BASE, TOKEN, CLUSTER: randomUUID() };
}

describe('the tutorials', () => {
  it.each(readTutorials())('$name: its commands print what it says', async ({ steps }) => {
    const here = steps.filter(({ needs }) => needs === undefined);
    const onCluster = here.length < steps.filter(({ needs }) => needs !== 'launcher').length;
    const { printed, code, end } = await (onCluster ? runSteps(here, ofCluster(), folder) : runSteps(here, environment()));
    expect(code === 0 ? 'done' : end).toBe('done');
    for (const { step, output, lacking } of printed) expect([step.title, output, lacking]).toEqual([step.title, output, []]);
    expect(printed).toHaveLength(here.length);
    expect(printed.filter(({ step }) => step.prints.length > 0).length).toBeGreaterThan(2);
  }, 240_000);
});

describe('a page', () => {
  const page = '# A\n```sh\nnpm start\n```\n## B\n```sh\necho one two\n```\nText.\n```text\none …\n```\n```sh launcher\ntrue\n```\n'
    + '```console\n$ false\n```\n';

  it('has steps: commands, what they print, and what they need', () => {
    expect(stepsOf(page)).toEqual([
      { title: 'B', commands: 'echo one two\n', prints: ['one …'] },
      { title: 'B', commands: 'true\n', prints: [], needs: 'launcher' },
    ]);
    expect(() => stepsOf('```text\none\n```\n')).toThrow('output without commands');
  });

  it('is wrong where a command fails, or prints something else', async () => {
    const [step] = stepsOf(page);
    const good = await runSteps([step!], {});
    expect([good.code, good.printed.map(({ lacking }) => lacking)]).toEqual([0, [[]]]);
    const other = await runSteps([{ ...step!, prints: ['two'] }], {});
    expect(other.printed.map(({ lacking }) => lacking)).toEqual([['two']]);
    const failed = await runSteps([step!, { ...step!, commands: 'false\n' }, step!], {});
    expect([failed.code, failed.printed.length]).toEqual([1, 1]);
  });

  it.each([
    ['a  b\n c', ['a b', 'c'], []],
    ['b\na', ['a', 'b'], ['b']],
    ['a.b', ['a…'], []],
    ['axb', ['a.b'], ['a.b']],
  ])('of the output %j with the lines %j lacks %j', (output, lines, lacking) => {
    expect(lackingIn(output, lines)).toEqual(lacking);
  });
});
