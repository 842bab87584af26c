import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@platform/testing';
import { PlatformState, type ReportedPart } from './launched-platform.ts';

/** A start and a stop, on a machine that is busy with other tests. */
const patience = 180_000;

interface Report {
  readonly checks: readonly { readonly area: string; readonly name: string; readonly ok: boolean }[];
}

describe('a part that hangs', () => {
  let state: PlatformState;

  beforeAll(async () => {
    state = await PlatformState.create({ PLATFORM_SUPERVISE_SILENCE: '15s' });
    await state.start().running();
  }, patience);

  afterAll(async () => {
    await state.remove();
  }, patience);

  it.each(['clusters', 'nats'])('is named by status and doctor, and started again: %s', async (name) => {
    const before = await part(name);
    process.kill(before.pid, 'SIGSTOP');

    const [now, report] = await Promise.all([part(name), examined()]);
    expect(now.ready).toBe(false);
    expect(report.checks.find((check) => check.area === 'parts' && check.name === name)?.ok).toBe(false);

    await until(async () => {
      const parts = await state.parts();
      return parts.every(({ ready }) => ready) && parts.some((again) => again.name === name && again.restarts === 1);
    }, { within: 120_000, what: `${name} is back and all parts are ready` });
    expect((await part(name)).lastExit).toMatch(/^no answer for (15|30)\.0 s, then SIG/);
  }, patience);

  it.each(['postgres', 'openfga', 'orgs-teams'])('does not keep status and doctor from ending: %s', async (name) => {
    const { pid } = await part(name);
    process.kill(pid, 'SIGSTOP');
    try {
      const [now, report] = await Promise.all([part(name), examined()]);
      expect(now.ready).toBe(false);
      expect(report.checks.find((check) => check.area === 'parts' && check.name === name)?.ok).toBe(false);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await until(async () => (await state.parts()).every(({ ready }) => ready), {
      within: 60_000, what: 'all parts are ready',
    });
  }, patience);

  async function part(name: string): Promise<ReportedPart> {
    return (await state.parts()).find((candidate) => candidate.name === name)!;
  }

  /** Fails on purpose, with the checks on standard output. */
  async function examined(): Promise<Report> {
    const { code, stdout } = await state.platform('doctor', '--json');
    expect(code).toBe(1);
    return JSON.parse(stdout) as Report;
  }
});
