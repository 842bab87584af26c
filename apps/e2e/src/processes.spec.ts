import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectBus } from '@platform/bus';
import { environmentName, isSecret, secretsOf, services, settings, type SettingKey } from '@platform/service';
import { until } from '@platform/testing';
import { type Launcher, PlatformState, type ReportedPart, type RunFile } from './launched-platform.ts';

/** A start and a stop, on a machine that is busy with other tests. */
const patience = 180_000;

/** Secrets that are given to one service, in the environment and in the settings file. */
const givenSecrets = { accessKey: 'access-key-of-this-spec', secretKey: 'secret-key-of-this-spec' };

/** OpenFGA reads its settings from the environment: its key and the password of its database. */
const allowedForOpenfga = [
  'openfga: openfga-key-of-authz', 'openfga: openfga-preshared-key', 'openfga: postgres-openfga-password',
];

let state: PlatformState, launcher: Launcher, run: RunFile;
/** The environment of each part's process. */
let environments: ReadonlyMap<string, ReadonlyMap<string, string>>;

beforeAll(async () => {
  state = await PlatformState.create({
    PLATFORM_FILES_S3_ACCESS_KEY: givenSecrets.accessKey,
    PLATFORM_SUPERVISE_SILENCE: '12s', PLATFORM_STOP_TIMEOUT: '9s',
  });
  await writeFile(join(state.home, 'platform.yaml'), `files.s3: {secretKey: ${givenSecrets.secretKey}}\n`);
  launcher = state.start();
  run = await launcher.running();
  environments = new Map(await Promise.all((await state.parts()).map(async ({ name, pid }) => {
    return [name, variablesOf(await readFile(`/proc/${pid}/environ`, 'utf8'))] as const;
  })));
}, patience);
afterAll(() => state.remove(), patience);

function variablesOf(environ: string): Map<string, string> {
  return new Map(environ.split('\0').filter((line) => line.includes('=')).map((line) => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)];
  }));
}

/** The secret settings that a process receives as paths of files, with those paths. */
function handedTo(service: string): Map<SettingKey, string> {
  return new Map((Object.keys(settings) as SettingKey[]).filter(isSecret).flatMap((key) => {
    const file = environments.get(service)!.get(`${environmentName(key)}_FILE`);
    return file === undefined ? [] : [[key, file] as const];
  }));
}

/** Secrets that only an operator sets. */
const notSet: ReadonlySet<string> = new Set([
  'telemetry.headers', 'license.ca', 'mail.smtpURL', 'auth.oidc', 'flavora.credential', 'flavorb.credential',
  'marketplace.providera.accessKey', 'marketplace.providera.secretKey', 'marketplace.providerb.secret',
  'marketplace.providerb.clientSecret', 'marketplace.providerc.secret', 'marketplace.providerc.credential',
]);

describe('the processes of a platform', () => {
  it.each(services.map((service) => [service.name, service] as const))(
    '%s gets the secrets of its row in the table of services, as files for its owner only, and no others',
    async (name, service) => {
      const handed = handedTo(name);
      const expected = secretsOf(service).filter((key) => !notSet.has(key));
      expect([...handed.keys()].toSorted()).toEqual(expected.toSorted());
      for (const file of handed.values()) {
        expect((await stat(file)).mode & 0o777).toBe(0o600);
        expect(await readFile(file, 'utf8')).toMatch(/./);
      }
      // The settings file holds a secret of orgs-teams.
      expect(environments.get(name)!.get('PLATFORM_CONFIG_FILE')).toBe('/dev/null');
    },
  );

  it('have no secret in their environment, except OpenFGA, which reads its own there', async () => {
    const folder = join(state.home, 'secrets');
    const secrets = await Promise.all((await readdir(folder)).map(async (name) => {
      return [name, (await readFile(join(folder, name), 'utf8')).trim()] as const;
    }));
    expect(secrets.length).toBeGreaterThan(10);
    const found = [...environments].flatMap(([part, variables]) => {
      const text = [...variables.values()].join('\n');
      for (const secret of Object.values(givenSecrets)) expect(text).not.toContain(secret);
      return secrets.filter(([, secret]) => text.includes(secret)).map(([name]) => `${part}: ${name}`);
    });
    expect(found.filter((line) => !line.startsWith('openfga: '))).toEqual([]);
    expect(found.toSorted()).toEqual(allowedForOpenfga.toSorted());
  });

  it('share no database role and no bus user', async () => {
    for (const key of ['postgres.url', 'nats.credentials'] as const) {
      const files = services.flatMap(({ name }) => handedTo(name).get(key) ?? []);
      const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
      expect(new Set(contents).size).toBe(contents.length);
    }
  });

  it('may use the subjects of their row on the bus, and no others', async () => {
    const credentials = await readFile(handedTo('orgs-teams').get('nats.credentials')!, 'utf8');
    await using bus = await connectBus({ url: run.nats, credentials }, 5_000);
    await bus.subscribe('_INBOX.orgs-teams.1', () => undefined);
    for (const subject of ['>', '_INBOX.>', '_INBOX.clusters.1', 'platform.events.>', '$JS.>']) {
      await using other = await connectBus({ url: run.nats, credentials }, 5_000);
      await expect(other.subscribe(subject, () => undefined)).rejects.toThrow(/permission/i);
    }
  });
});

describe('parts that hang', () => {
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
