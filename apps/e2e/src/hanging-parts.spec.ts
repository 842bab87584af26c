import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@platform/testing';
import { type Launcher, PlatformState, type ReportedPart } from './launched-platform.ts';

/** A start and a stop, on a machine that is busy with other tests. */
const patience = 180_000;

describe('parts that hang', () => {
  let state: PlatformState, launcher: Launcher;

  beforeAll(async () => {
    state = await PlatformState.create({ PLATFORM_SUPERVISE_SILENCE: '12s', PLATFORM_STOP_TIMEOUT: '9s' });
    launcher = state.start();
    await launcher.running();
  }, patience);
  afterAll(() => state.remove(), patience);

  // Both at once, because separate checks detect them: a hanging service after 12 s, NATS after twice that time.
  it('are named by status and doctor, and started again: clusters, nats', async () => {
    const names = ['clusters', 'nats'];
    for (const { pid } of await parts(names)) process.kill(pid, 'SIGSTOP');
    await expectNamed(names);
    await until(async () => {
      const all = await state.parts();
      const again = all.filter(({ name, restarts }) => names.includes(name) && restarts === 1);
      return all.every(({ ready }) => ready) && again.length === names.length;
    }, { within: 120_000, what: 'both are back and all parts are ready' });
    const [clusters, nats] = await parts(names);
    expect(clusters?.lastExit).toMatch(/^no answer for 12\.0 s, then SIG/);
    expect(nats?.lastExit).toMatch(/^no answer for 24\.0 s, then SIG/);
  }, patience);

  // PostgreSQL separately: services that wait for it must still answer.
  it.each([[['postgres']], [['openfga', 'orgs-teams']]])('keep status and doctor from nothing: %j', async (names) => {
    const hanging = await parts(names);
    for (const { pid } of hanging) process.kill(pid, 'SIGSTOP');
    try {
      await expectNamed(names);
    } finally {
      for (const { pid } of hanging) continueIfThere(pid);
    }
    const areReady = async () => (await state.parts()).every(({ ready }) => ready);
    await until(areReady, { within: 60_000, what: 'all parts are ready' });
  }, patience);

  // Last, because it stops the platform.
  it('are killed once their own time to stop is over, and cost no other part its time', async () => {
    const [orgsTeams] = await parts(['orgs-teams']);
    process.kill(orgsTeams!.pid, 'SIGSTOP');
    expect(await launcher.stop('SIGTERM')).toBe(1);
    const [, told] = launcher.output.split('Stopping …');
    expect(told).toContain('orgs-teams did not stop cleanly, it ended with SIGKILL.');
    expect(told).not.toMatch(/started again|(postgres|nats|openfga) did not stop/);
    expect(launcher.errors).toMatch(/Stopped, but not cleanly: .*orgs-teams \(SIGKILL\)/);
    expect(await state.processes()).toEqual([]);
  }, patience);

  /** The state of each part, in the order of these names. */
  async function parts(names: readonly string[]): Promise<readonly ReportedPart[]> {
    const all = await state.parts();
    return names.map((name) => all.find((part) => part.name === name)!);
  }

  /** Expects both commands to end, and to report that these parts do not answer. */
  async function expectNamed(names: readonly string[]): Promise<void> {
    const [now, { code, stdout }] = await Promise.all([parts(names), state.platform('doctor', '--json')]);
    expect(now.map(({ name, ready }) => [name, ready])).toEqual(names.map((name) => [name, false]));
    expect(code).toBe(1);
    const { checks } = JSON.parse(stdout) as { checks: { area: string; name: string; ok: boolean }[] };
    const bad = checks.filter(({ area, ok }) => area === 'parts' && !ok).map(({ name }) => name);
    expect(bad).toEqual(expect.arrayContaining([...names]));
  }
});

/** On a slow machine the launcher may have killed it already. */
function continueIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
