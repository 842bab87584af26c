import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CommandFault } from '../command-fault.ts';
import { claimState } from '../claim.ts';
import type { Output } from '../output.ts';
import { type PartsFile, writePartsFile } from '../parts-file.ts';
import { endProgress } from '../progress.ts';
import { type RunFile, writeRunFile } from '../run-file.ts';
import { temporaryFolder } from '../testdata/temporary-folder.ts';
import { doctor } from './doctor.ts';
import { status } from './status.ts';

const run: RunFile = {
  baseUrl: 'http://127.0.0.1:9',
  pid: process.pid,
  grpc: { 'orgs-teams': '127.0.0.1:9', 'authz': '127.0.0.1:9', 'clusters': '127.0.0.1:9' },
  postgres: 'postgres://127.0.0.1:9/postgres',
  nats: 'nats://127.0.0.1:9',
  openfga: { url: 'http://127.0.0.1:9', storeId: 'store', modelId: 'model' },
  admin: { username: 'platform-admin', token: 'hidden' },
};
const since = '2026-11-22T06:00:00Z';
const parts: PartsFile = {
  launcher: { pid: process.pid, startedAt: since },
  parts: [{ name: 'authz', state: 'stopped', restarts: 0, since }],
};
const whole = JSON.stringify(run);
const damaged: readonly (readonly [file: string, what: string, content: string])[] = [
  ['run.json', 'empty', ''],
  ['run.json', 'null', 'null'],
  ['run.json', 'an empty object', '{}'],
  ['run.json', 'cut off', '{"admin":{"token":"hidden"'],
  ['run.json', 'without a store', whole.replace('"storeId":"store",', '')],
  ['run.json', 'with an invalid address', whole.replace('"127.0.0.1:9"', '9')],
  ['parts.json', 'empty', ''],
  ['parts.json', 'null', 'null'],
  ['parts.json', 'an empty object', '{}'],
  ['parts.json', 'without parts', '{"parts":[]}'],
  ['parts.json', 'with an invalid part', '{"parts":[null]}'],
];

describe('status', () => {
  it('shows what the launcher has written', async () => {
    await using platform = await claimedState();
    const { answers, output } = collected();
    await status(platform.environment, output);
    expect(answers).toEqual([
      { ...run, state: 'running', parts: [{ ...parts.parts[0], ready: false, reason: 'stopped' }] },
    ]);
  });

  it.each(damaged)('names what is damaged, and answers nothing: %s, %s', async (file, _what, content) => {
    await using platform = await claimedState();
    await writeFile(join(platform.home, file), content);
    const { answers, output } = collected();

    const fault: unknown = await status(platform.environment, output).catch((error: unknown) => error);

    expect(fault).toBeInstanceOf(CommandFault);
    expect(fault).toMatchObject({
      message: `${join(platform.home, file)} does not have the content that the platform wrote`,
      cure: 'Stop the platform and start it again, which writes this file again.',
    });
    expect(answers).toEqual([]);
  });

  it('misses the parts of a platform that runs', async () => {
    await using platform = await claimedState();
    const file = join(platform.home, 'parts.json');
    await rm(file);
    await expect(status(platform.environment, collected().output)).rejects.toThrow(`${file} is gone`);
  });
});

describe('doctor', () => {
  // The real output ends the progress of a command. The output of this spec only collects answers.
  afterEach(endProgress);

  it.each([['run.json', '{}'], ['parts.json', 'null']])('fails a check for a damaged file: %s', async (file, content) => {
    await using platform = await claimedState();
    await writeFile(join(platform.home, file), content);
    const { answers, output } = collected();

    await expect(doctor({}, platform.environment, output)).rejects.toThrow(CommandFault);

    const [{ checks }] = answers as [{ checks: object[] }];
    expect(checks).toContainEqual({
      area: 'parts',
      name: 'parts',
      ok: false,
      found: `${join(platform.home, file)} does not have the content that the platform wrote`,
      fix: 'Stop the platform and start it again, which writes this file again.',
    });
  });

  it('names the failed checks because of which rows and engine were not compared', async () => {
    await using platform = await claimedState();
    const { answers, output } = collected();

    await expect(doctor({}, platform.environment, output)).rejects.toThrow(CommandFault);

    const [{ checks }] = answers as [{ checks: { area: string; name: string; ok: boolean; found: string }[] }];
    const { found } = checks.find(({ area, name }) => area === 'drift' && name === 'tuples')!;
    expect(found).toContain('parts (authz)');
    expect(found).not.toContain('machine');
  });
});

/** The state of a platform whose launcher is this process, with addresses at which no process answers. */
async function claimedState() {
  const folder = await temporaryFolder();
  const claim = await claimState(folder.path);
  await writeRunFile(folder.path, run);
  await writePartsFile(folder.path, parts);
  return {
    home: folder.path,
    environment: { PLATFORM_HOME: folder.path },
    [Symbol.asyncDispose]: async () => {
      await claim.release();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function collected(): { readonly answers: unknown[]; readonly output: Output } {
  const answers: unknown[] = [];
  return { answers, output: { json: true, answer: (value) => void answers.push(value), say: () => undefined } };
}
