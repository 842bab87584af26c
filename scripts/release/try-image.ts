import { spawnSync } from 'node:child_process';
import { ReleaseFault } from './command.ts';
import { nodeNames } from './platforms.ts';
import type { BuiltImage } from './parts.ts';

/** A run of an image, with its expected exit code and output. */
interface Trial {
  /** Replaces the entry point of the image. */
  readonly program?: string;
  readonly words: readonly string[];
  readonly status: number;
  readonly says: RegExp;
}

const servers: Readonly<Record<string, readonly Trial[]>> = {
  postgres: ['postgres', 'initdb', 'pg_isready'].map((program) => {
    return { program, words: ['--version'], status: 0, says: /\(PostgreSQL\) \d/ };
  }),
  nats: [{ words: ['--version'], status: 0, says: /^nats-server: v\d/ }],
  openfga: [{ words: ['version'], status: 0, says: /OpenFGA version `v\d/ }],
};

/** Time limit of one run, in milliseconds. Programs of another architecture run in an emulator, which is very slow. */
const longestMs = 300_000;

/**
 * Runs the programs of an image without a network. Checks their output and exit code. Servers and the command line
 * print their version. A service loads its modules, and then reports that its configuration cannot be used.
 * @throws ReleaseFault
 */
export function tryImage(image: BuiltImage, version: string, environment = process.env): void {
  const architecture: Trial = {
    program: 'node', words: ['--print', 'process.arch'], status: 0, says: new RegExp(`^${nodeNames[image.architecture]}$`, 'm'),
  };
  const trials = servers[image.name] ?? [architecture, ownTrial(image.name, version)];
  for (const trial of trials) run(image, trial, environment);
}

function ownTrial(name: string, version: string): Trial {
  if (name === 'cli') return { words: ['--version'], status: 0, says: new RegExp(`^v${RegExp.escape(version)}$`, 'm') };
  return { words: [], status: 1, says: new RegExp(`"service":"${name}".*"message":"the configuration cannot be used"`) };
}

function run(
  image: BuiltImage, { program, words, status, says }: Trial, environment: NodeJS.ProcessEnv,
): void {
  const { name, reference, architecture } = image;
  const answer = spawnSync('docker', [
    'run', '--rm', '--network', 'none', '--platform', `linux/${architecture}`,
    ...(program === undefined ? [] : ['--entrypoint', program]), reference, ...words,
  ], { encoding: 'utf8', timeout: longestMs, env: environment });
  const said = `${answer.stdout}${answer.stderr}`;
  if (answer.error === undefined && answer.status === status && says.test(said)) return;
  const command = [program, ...words].join(' ').trim();
  const ending = answer.error?.message ?? `exit code ${answer.status}: ${said.trim().slice(-1_000)}`;
  throw new ReleaseFault(`The image ${name} for ${architecture} does not run${command === '' ? '' : ` "${command}"`}: ${ending}`);
}
