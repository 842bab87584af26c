import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { exclusively } from './exclusive.ts';
import { BackingFault } from './fault.ts';
import type { ServerBinary } from './find-binary.ts';
import type { FindOptions } from './find-options.ts';
import { GO_MODULE, GO_SOURCES, goPin, type GoTool, type Server } from './pins.ts';
import { type Progress, progress } from './progress.ts';

const run = promisify(execFile);

/** Time limit of a build. It ends a build that hangs. */
const BUILD_MILLISECONDS = 60 * 60 * 1000;
/** Time limit of `go env`, which may download the toolchain that go.mod names. */
const GO_ENV_MILLISECONDS = 5 * 60 * 1000;

/** A Go program and how to build it. `go.mod` pins the version of each module. */
export interface GoProgram {
  readonly title: string;
  readonly executable: string;
  readonly version: string;
  /** The folder with `go.mod`, `go.sum` and, for a program of this repository, its sources. */
  readonly module: string;
  /** The files on which the build depends, as paths in `module`. A change of one of these files causes a new build. */
  readonly sources: readonly string[];
  /** The package to build: an import path, or a path in `module` such as `.` or `./pause`. */
  readonly package: string;
  /** Variables that the linker sets: `name=value`. */
  readonly variables: readonly string[];
  /** Node's name of the architecture to build for; default: this machine's. */
  readonly architecture?: string;
  /** What to do instead of the build, as the end of a sentence such as "Install Go, or …". */
  readonly otherwise: string;
}

type GoBuildOptions = Pick<FindOptions, 'environment' | 'report' | 'signal'>;
type GoFailure = NodeJS.ErrnoException & { readonly stderr?: string };

/**
 * Returns a Go server in its pinned version. Builds the server if the cache lacks it.
 * @throws BackingFault SERVER_MISSING, BUILD_FAILED; the reason of an aborted signal
 */
export async function goBuild(
  server: Server & GoTool, cacheDirectory: string, options: GoBuildOptions, architecture: string = process.arch,
): Promise<ServerBinary> {
  const version = await goPin(server);
  return await goProgram({
    ...server,
    version,
    module: GO_MODULE,
    sources: GO_SOURCES,
    variables: server.versionSymbol === undefined ? [] : [`${server.versionSymbol}=v${version}`],
    architecture,
    otherwise: `set ${server.addressVariable} to the address of a running server, or ${server.binaryVariable} to an executable`,
  }, cacheDirectory, options);
}

/**
 * Returns a program from the cache. Builds the program first if the cache lacks it.
 * @throws BackingFault SERVER_MISSING, BUILD_FAILED; the reason of an aborted signal
 */
export async function goProgram(
  program: GoProgram, cacheDirectory: string, options: GoBuildOptions,
): Promise<ServerBinary> {
  const { report, signal } = options;
  const { title, executable, version } = program;
  const directory = join(cacheDirectory, `${executable}-${version}-${await buildKey(program)}`);
  const built = (): Promise<boolean> => access(join(directory, executable)).then(() => true, () => false);
  const binary: ServerBinary = { kind: 'binary', file: join(directory, executable), version, origin: 'pinned' };
  if (await built()) return binary;

  const goVersion = await installedGo(program, options);
  await mkdir(cacheDirectory, { recursive: true }).catch((error: Error) => {
    const message = `The cache folder ${cacheDirectory} cannot be created: ${error.message}.`;
    const cure = 'Set XDG_CACHE_HOME to a writable folder.';
    throw new BackingFault('BUILD_FAILED', message, cure, { cause: error });
  });
  using waiting = progress(report, `Waiting for another process that is building ${title} ${version}`);
  const build = async (): Promise<void> => {
    waiting[Symbol.dispose]();
    if (await built()) return;
    using steps = progress(report, `Building ${title} ${version} with ${goVersion} (once, then cached)`);
    steps.start();
    await buildInto(directory, program, options, steps);
    steps.done();
  };
  await exclusively(`${directory}.lock`, build, waiting.start, signal);
  return binary;
}

/** Builds in a temporary folder and then renames it to `directory`. So `directory` never has a partial build. */
async function buildInto(directory: string, program: GoProgram, options: GoBuildOptions, steps: Progress) {
  const draft = await mkdtemp(`${directory}.draft-`);
  try {
    await runGoBuild(join(draft, program.executable), program, options, steps);
    await rm(directory, { recursive: true, force: true });
    await rename(draft, directory);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function runGoBuild(output: string, program: GoProgram, options: GoBuildOptions, steps: Progress): Promise<void> {
  const { environment, signal } = options;
  const variables = program.variables.map((variable) => ` -X ${variable}`).join('');
  // Flags that affect compiled packages must match scripts/prepare/warm-go.mjs. Otherwise Go cannot reuse the packages.
  // `-v` prints the name of each compiled package.
  const flags = ['-trimpath', '-buildvcs=false', '-v', `-ldflags=-s -w${variables}`];
  const go = {
    cwd: program.module,
    env: goEnvironment(environment, program.architecture),
    timeout: BUILD_MILLISECONDS,
    maxBuffer: 64 * 1024 * 1024,
    signal,
  };
  try {
    const building = run('go', ['build', ...flags, '-o', output, program.package], go);
    const all = run('go', ['list', '-deps', program.package], go).then(({ stdout }) => countLines(stdout));
    let compiled = 0;
    building.child.stderr?.on('data', (text: string) => {
      compiled += countLines(text);
      // If `go list` fails, the number of packages is not reported.
      all.then((total) => steps.reached(`${compiled} of ${total} packages`), () => undefined);
    });
    await building;
  } catch (error) {
    signal?.throwIfAborted();
    throw buildFault(program, error as GoFailure);
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/**
 * Returns the environment for Go. The user's variables stay, for example those for proxies and caches. Some variables
 * that affect the build have fixed values. GOTOOLCHAIN is `auto` by default: an older Go then downloads the toolchain
 * that go.mod names.
 */
function goEnvironment(
  environment: FindOptions['environment'], architecture: string = process.arch,
): Record<string, string | undefined> {
  return {
    HOME: homedir(),
    GOTOOLCHAIN: 'auto',
    ...environment,
    GOFLAGS: '-mod=readonly',
    GOWORK: 'off',
    CGO_ENABLED: '0',
    GOOS: process.platform,
    GOARCH: architecture === 'x64' ? 'amd64' : architecture,
  };
}

/** Returns the version of Go, such as `go1.26.8`. @throws BackingFault SERVER_MISSING */
async function installedGo(program: GoProgram, { environment }: GoBuildOptions): Promise<string> {
  try {
    const options = { cwd: program.module, env: goEnvironment(environment), timeout: GO_ENV_MILLISECONDS };
    return (await run('go', ['env', 'GOVERSION'], options)).stdout.trim();
  } catch (error) {
    const failure = error as GoFailure;
    const why = failure.code === 'ENOENT'
      ? 'there is no Go in PATH to build it with'
      : `the Go in PATH cannot be used (${lastLines(failure)})`;
    const message = `${program.title} ${program.version} is not on this machine, and ${why}.`;
    const cure = `Install Go 1.26 or later (https://go.dev/dl), or ${program.otherwise}.`;
    throw new BackingFault('SERVER_MISSING', message, cure, { cause: error });
  }
}

function buildFault(program: GoProgram, failure: GoFailure): BackingFault {
  const offline = /dial tcp|no such host|proxyconnect|connection refused|i\/o timeout/.test(failure.stderr ?? '');
  const cure = offline
    ? 'Go could not fetch the sources: check the network and GOPROXY'
    : `Run "CGO_ENABLED=0 go build -o /dev/null ${program.package}" in tools/${basename(program.module)} to see more`;
  const message = `${program.title} ${program.version} could not be built: ${lastLines(failure)}`;
  return new BackingFault('BUILD_FAILED', message, `${cure}, or ${program.otherwise}.`, { cause: failure });
}

/** Returns the last three lines of the failure, in one line. Leaves out lines that contain only a package name. */
function lastLines({ stderr, message }: GoFailure): string {
  const lines = (stderr || message).trim().split('\n');
  return lines.filter((line) => /[\s:]/.test(line)).slice(-3).join(' | ');
}

/**
 * Returns a hash of the sources, the operating system and the architecture. The version of Go is not part of the hash,
 * so that a cached program is found on a machine without Go.
 */
async function buildKey({ module, sources, architecture = process.arch }: GoProgram): Promise<string> {
  const hash = createHash('sha256');
  for (const file of sources) hash.update(await readFile(join(module, file)));
  return hash.update(`${process.platform} ${architecture}`).digest('hex').slice(0, 12);
}
