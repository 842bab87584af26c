import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { platformVersion } from '@platform/service/basics';
import { temporaryFolder } from './testdata/temporary-folder.ts';

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('platform', () => {
  it.each([
    [['--help']],
    [['up', '--help']],
    [['status', '--help']],
    [['doctor', '--help']],
    [['lab', 'up', '--help']],
    [['agent', '--help']],
    [['prepare', '--help']],
    [['migrate', '--help']],
    [['admin', '--help']],
    [['admin', 'user', '--help']],
    [['admin', 'user', 'create', '--help']],
    [['admin', 'token', '--help']],
    [['admin', 'token', 'revoke', '--help']],
    [['admin', 'bus-account', 'create', '--help']],
    [['admin', 'cluster', 'import', '--help']],
    [['admin', 'keys', 'rotate', '--help']],
    [['admin', 'license-ca', 'use', '--help']],
    [['admin', 'metering', 'resend', '--help']],
    [['admin', 'audit', '--help']],
    [['admin', 'explain', '--help']],
  ])('helps at every level: %j', async (argv) => {
    const { code, stdout } = await platform(argv);
    expect(code).toBe(0);
    expect(stdout).toContain('Usage: platform');
    // Every user of the machine can read the arguments of a process.
    expect(stdout).not.toMatch(/--(token|password|secret) /);
  });

  it.each([
    [['nothing-known']],
    [['agent', '--owner', 'acme']],
    [['admin']],
    [['admin', 'user', 'create', '--username', 'ada']],
    [['admin', 'user', 'update', 'ada']],
    [['admin', 'user', 'update', 'ada', '--admin=perhaps']],
    [['admin', 'token', 'create', '--name', 'n']],
    [['admin', 'token', 'create', '--name', 'n', '--user', 'ada', '--org', 'acme']],
    [['admin', 'token', 'create', '--name', 'n', '--user', 'ada', '--expires', 'soon']],
    [['admin', 'token', 'revoke', 'x']],
    [['admin', 'token', 'revoke']],
    [['admin', 'explain', '--user', 'ada', '--relation', 'can_edit']],
    [['admin', 'audit', '--since', 'long ago']],
    [['admin', 'audit', '--limit', '0']],
    [['admin', 'bus-account', 'create', '--org', 'acme', '--product', 'p']],
    [['admin', 'keys']],
    [['admin', 'cluster', 'import', '--owner', 'acme']],
    [['up', '--port', '70000']],
    [['lab']],
    [['lab', 'up', '--spokes', '21']],
    [['status', '--unknown']],
    [['status', 'surplus']],
    [['up', 'surplus']],
    [['admin', 'user', 'delete', 'ada', 'surplus']],
    [['doctor', '--server', 'nonsense']],
    [['admin', 'keys', 'rotate', '--server', '127.0.0.1:70000']],
    [['admin', 'cluster', 'move', '--owner', '', '--name', 'a', '--to', 'acme']],
    [['admin', 'contract', 'list', '--owner=']],
    [['admin', 'user', 'delete', '']],
    [['admin', 'license-ca', 'add', '--file', '']],
  ])('answers 2 for wrong usage, and nothing on standard output: %j', async (argv) => {
    const { code, stdout, stderr } = await platform(argv);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
  });

  it.each([
    [['status']],
    [['admin', 'user', 'create', '--username', 'ada', '--email', 'ada@example.org', '--json']],
    [['admin', 'token', 'revoke', '1', '--json']],
    [['admin', 'keys', 'rotate', '--json']],
    [['admin', 'token', 'revoke', '1', '--server', '127.0.0.1:9', '--token-file', '/nowhere', '--json']],
  ])('answers 1 and one line on standard error where no platform runs: %j', async (argv) => {
    const { code, stdout, stderr } = await platform(argv);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    // A slow machine may need so long that progress is shown.
    expect(stderr.trimEnd().split('\n').filter((line) => !line.includes(' … '))).toHaveLength(1);
  });

  it.each([
    ['Waiting for PostgreSQL', ['migrate'], (port) => ({
      PLATFORM_POSTGRES_SERVICE_URLS: `orgs-teams=postgres://orgs:none@127.0.0.1:${port}/platform`,
    })],
    ['Waiting for orgs-teams', ['admin', 'token', 'revoke', '1', '--json'], (port) => ({
      PLATFORM_SERVER: `127.0.0.1:${port}`, PLATFORM_TOKEN: 'operator',
    })],
  ] satisfies [string, string[], (port: number) => Record<string, string>][])(
    'shows on standard error what it does when that takes long: %s, %j', async (what, argv, environmentOf) => {
      await using home = await temporaryFolder();
      // This server accepts connections, but never answers.
      await using server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      const command = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...argv], {
        env: environmentFor(home.path, environmentOf(port)), stdio: ['ignore', 'pipe', 'pipe'],
      });
      const answered = buffer(command.stdout);
      try {
        const [line] = await once(createInterface({ input: command.stderr }), 'line');
        expect(line).toMatch(/^[^…]+ … (?:[3-9]|[1-9]\d+) s$/);
        expect(line).toContain(what);
      } finally {
        command.kill('SIGKILL');
      }
      expect(String(await answered)).toBe('');
    },
  );

  it('answers a program that nothing runs', async () => {
    const { code, stdout, stderr } = await platform(['status', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([1, { state: 'stopped', parts: [] }]);
    expect(stderr).toMatch(/^No platform runs with the state folder .+\. Start it with `npm start`\.\n$/);
  });

  it.each([
    [['--help'], ['commander']],
    [['admin', 'user', 'create', '--help'], ['commander']],
    [['status'], [
      '@nats-io/jetstream', '@nats-io/nats-core', '@nats-io/nkeys', '@nats-io/nuid', '@nats-io/transport-node', 'commander',
      'tweetnacl',
    ]],
  ])('loads these packages and no others: %j', async (argv, packages) => {
    expect(await packagesOf(argv)).toEqual(packages);
  });

  it.each([
    [['admin', 'user', 'create', '--username', 'ada', '--email', 'ada@example.org']],
    [['admin', 'license-ca', 'list']],
    [['prepare', '--folder', '/dev/null/none']],
    [['migrate']],
  ])('loads neither a client of Kubernetes or OpenFGA nor a server: %j', async (argv) => {
    expect(await packagesOf(argv)).toEqual(expect.not.arrayContaining([
      expect.stringMatching(/^(@kubernetes|@openfga|express|graphile-worker|undici|pdfkit|sharp)/),
    ]));
  });

  it('is called without npm, from any folder and over a link', async () => {
    await using folder = await temporaryFolder();
    const command = join(folder.path, 'command');
    await symlink(join(import.meta.dirname, '../../../platform'), command);
    const { stdout } = await promisify(execFile)(command, ['--version'], { cwd: folder.path });
    expect(stdout).toBe(`${platformVersion}\n`);
  });

  // These commands must not treat an empty file as a missing one: without a file they create something, check less, or
  // read elsewhere.
  it.each([
    [1, ['admin', 'license-ca', 'add', '--file']],
    [1, ['admin', 'cluster', 'import', '--owner', 'acme', '--name', 'a', '--kubeconfig']],
    [1, ['admin', 'installer', 'create', '--marketplace', 'providera', '--name', 'a', '--metering-token-file']],
    [1, ['admin', 'user', 'list', '--server', '127.0.0.1:9', '--token-file']],
    [1, ['agent', '--owner', 'acme', '--product', 'p', '--kubeconfig', 'k', '--license', 'l', '--creds']],
  ])('answers %i for an empty file, which it names, and asks nobody: %j', async (expected, argv) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'empty');
    for (const text of ['', ' \r\n\t\n', '\ufeff']) {
      await writeFile(file, text);
      const { code, stdout, stderr } = await platform([...argv, file]);
      expect([code, stdout, stderr]).toEqual([expected, '', expect.stringContaining(file)]);
    }
  });

  it('names the server that does not answer', async () => {
    const argv = ['admin', 'token', 'revoke', '1', '--server', '127.0.0.1:9'];
    const { code, stderr } = await platform(argv, { PLATFORM_TOKEN: 'operator' });
    expect([code, stderr]).toEqual([1, expect.stringContaining('orgs-teams at 127.0.0.1:9 is not available')]);
  });

  it('takes a setting that cannot be used as a failure, and names all of them', async () => {
    const environment = { PLATFORM_HTTP_PORT: 'eighty', PLATFORM_LOG_LEVEL: 'loud', PLATFORM_GRPC_LISTEN: '127.0.0.1:9' };
    const { code, stdout, stderr } = await platform(['up', '--json'], environment);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^The configuration cannot be used: PLATFORM_HTTP_PORT: is "eighty"; accepted is [^.]*\. /);
    expect(stderr).toMatch(/ PLATFORM_LOG_LEVEL: is "loud"; accepted is one of .*\. PLATFORM_GRPC_LISTEN: is set; /);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('lists the failed checks of a machine without a running platform, with a fix for each', async () => {
    const { code, stdout } = await platform(['doctor', '--json']);
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as { ok: boolean; checks: { area: string; ok: boolean; fix?: string }[] };
    expect(report.ok).toBe(false);
    expect(report.checks.filter(({ area, ok }) => area === 'parts' && !ok)).toHaveLength(1);
    expect(report.checks.filter(({ ok, fix }) => !ok && (fix ?? '') === '')).toEqual([]);
  });
});

/** Names of the packages that a command on an empty state loads, in order. */
async function packagesOf(argv: readonly string[]): Promise<string[]> {
  const options = `--import ${join(import.meta.dirname, 'testdata/note-packages.ts')}`;
  const { stderr } = await platform(argv, { NODE_OPTIONS: options });
  return JSON.parse(stderr.trimEnd().split('\n').at(-1)!) as string[];
}

/** Runs the command line in a separate process, on an empty state. */
async function platform(argv: readonly string[], environment: Record<string, string> = {}): Promise<Result> {
  await using home = await temporaryFolder();
  const env = environmentFor(home.path, environment);
  return await new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, 'main.ts'), ...argv], { env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

function environmentFor(home: string, environment: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PLATFORM_'));
  return { ...Object.fromEntries(inherited), NODE_OPTIONS: '', PLATFORM_HOME: home, ...environment };
}
