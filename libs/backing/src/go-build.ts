import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exclusively } from './exclusive.ts';
import { BackingFault } from './fault.ts';
import type { ServerBinary } from './find-binary.ts';
import type { FindOptions } from './find-options.ts';
import { GO_MODULE, goPin, type GoTool, type Server } from './pins.ts';
import { progress } from './progress.ts';

const run = promisify(execFile);

/** Many times what a cold build takes on two cores: beyond that something hangs. */
const BUILD_MILLISECONDS = 60 * 60 * 1000;
/** `go env` may fetch the toolchain that go.mod names. */
const GO_ENV_MILLISECONDS = 5 * 60 * 1000;

type GoServer = Server & GoTool;
type GoFailure = NodeJS.ErrnoException & { readonly stderr?: string };

/** The pinned build of a Go server, from the cache or made now. @throws BackingFault SERVER_MISSING, BUILD_FAILED */
export async function goBuild(server: GoServer, cacheDirectory: string, options: FindOptions): Promise<ServerBinary> {
  const { report, signal } = options;
  const version = await goPin(server);
  const directory = join(cacheDirectory, `${server.executable}-${version}-${await buildKey()}`);
  const built = (): Promise<boolean> => access(join(directory, server.executable)).then(() => true, () => false);
  const binary: ServerBinary = { kind: 'binary', file: join(directory, server.executable), version, origin: 'pinned' };
  if (await built()) return binary;

  const goVersion = await installedGo(server, options);
  await makeCacheFolder(cacheDirectory);
  using waiting = progress(report, `Waiting for another process that builds ${server.title} ${version}`);
  await exclusively(
    `${directory}.lock`,
    async () => {
      waiting[Symbol.dispose]();
      if (await built()) return;
      using steps = progress(report, `Building ${server.title} ${version} with ${goVersion} (once per machine)`);
      steps.start();
      await buildInto(directory, server, version, options);
      steps.done();
    },
    waiting.start,
    signal,
  );
  return binary;
}

/** Builds beside the target and renames: a target that exists is whole. */
async function buildInto(directory: string, server: GoServer, version: string, options: FindOptions): Promise<void> {
  const draft = await mkdtemp(`${directory}.draft-`);
  try {
    await runGoBuild(join(draft, server.executable), server, version, options);
    await rm(directory, { recursive: true, force: true });
    await rename(draft, directory);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function runGoBuild(
  output: string,
  server: GoServer,
  version: string,
  { environment, signal }: FindOptions,
): Promise<void> {
  const symbol = server.versionSymbol === undefined ? '' : ` -X ${server.versionSymbol}=v${version}`;
  const flags = ['-trimpath', '-buildvcs=false', `-ldflags=-s -w${symbol}`];
  try {
    await run('go', ['build', ...flags, '-o', output, server.package], {
      cwd: GO_MODULE,
      env: goEnvironment(environment),
      timeout: BUILD_MILLISECONDS,
      maxBuffer: 64 * 1024 * 1024,
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw buildFault(server, version, error as GoFailure);
  }
}

/**
 * What the user set for proxies and caches stays; what would change the build does not, and no C compiler is needed.
 * With an older Go the toolchain that go.mod names is fetched, checked like any module, unless GOTOOLCHAIN forbids it.
 */
function goEnvironment(environment: FindOptions['environment']): Record<string, string | undefined> {
  return {
    HOME: homedir(),
    GOTOOLCHAIN: 'auto',
    ...environment,
    GOFLAGS: '-mod=readonly',
    GOWORK: 'off',
    CGO_ENABLED: '0',
    GOOS: process.platform,
    GOARCH: process.arch === 'x64' ? 'amd64' : process.arch,
  };
}

/** Version of the Go that would build: `go1.26.8`. */
async function installedGo(server: GoServer, { environment }: FindOptions): Promise<string> {
  try {
    const options = { cwd: GO_MODULE, env: goEnvironment(environment), timeout: GO_ENV_MILLISECONDS };
    const { stdout } = await run('go', ['env', 'GOVERSION'], options);
    return stdout.trim();
  } catch (error) {
    const failure = error as GoFailure;
    const why =
      failure.code === 'ENOENT'
        ? 'there is no Go in PATH to build it with'
        : `the Go in PATH does not serve (${lastLines(failure)})`;
    throw new BackingFault(
      'SERVER_MISSING',
      `${server.title} ${await goPin(server)} is not on this machine, no address is set, and ${why}.`,
      `Install Go 1.26 or later (https://go.dev/dl), set ${server.addressVariable} to the address of a running one, `
        + `or ${server.binaryVariable} to its executable.`,
      { cause: error },
    );
  }
}

function buildFault(server: GoServer, version: string, failure: GoFailure): BackingFault {
  const offline = /dial tcp|no such host|proxyconnect|connection refused|i\/o timeout/.test(failure.stderr ?? '');
  const cure = offline
    ? 'Go could not fetch the sources: give it network or a GOPROXY'
    : `Run "CGO_ENABLED=0 go build -o /dev/null ${server.package}" in tools/backing to see more`;
  return new BackingFault(
    'BUILD_FAILED',
    `${server.title} ${version} could not be built: ${lastLines(failure)}`,
    `${cure}, or set ${server.addressVariable} to the address of a running one.`,
    { cause: failure },
  );
}

function lastLines({ stderr, message }: GoFailure): string {
  return (stderr || message).trim().split('\n').slice(-3).join(' | ');
}

async function makeCacheFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw new BackingFault(
      'BUILD_FAILED',
      `The cache folder ${folder} cannot be made: ${(error as Error).message}.`,
      'Set XDG_CACHE_HOME to a folder that may be written.',
      { cause: error },
    );
  }
}

/** What a build depends on: the pins and the machine. Not the compiler: what is built is found where Go is missing. */
async function buildKey(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(await readFile(join(GO_MODULE, file)));
  return hash.update(`${process.platform} ${process.arch}`).digest('hex').slice(0, 12);
}
