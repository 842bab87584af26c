// `npm run release -- VERSION`: makes the files of a release, by default in dist/. See docs/releasing.md.
// Exit code 0: the release is made. 1: something failed. 2: wrong usage, for example if files differ from the commit.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../checks/run-command.ts';
import { command, ReleaseFault } from './command.ts';
import { missingForImages } from './images.ts';
import { makeRelease } from './make-release.ts';
import { missingForEmulation } from './platforms.ts';

class UsageFault extends Error {}

interface Given {
  readonly version: string;
  /** The file of a private key. */
  readonly key: string | undefined;
  readonly folder: string;
}

try {
  const given = readArguments();
  refuseOtherVersion(given.version);
  refuseChanges();
  if (existsSync(given.folder)) throw new UsageFault(`${given.folder} exists. Remove it, or name another folder with --into.`);
  const epoch = Number(command('git', ['log', '-1', '--format=%ct']));
  const missing = { missing: missingForImages(), missingForOthers: missingForEmulation() };
  await makeRelease({ ...given, ...missing, epoch, work: `${given.folder}.work` });
} catch (error) {
  if (!(error instanceof UsageFault) && !(error instanceof ReleaseFault)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof UsageFault ? 2 : 1;
}

function readArguments(): Given {
  const usage = 'npm run release -- VERSION [--key FILE] [--into FOLDER]';
  try {
    const options = {
      key: { type: 'string' },
      into: { type: 'string', default: join(root, 'dist') },
    } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [version, ...more] = positionals;
    if (version === undefined || more.length > 0) throw new Error('one version is needed');
    return { version, key: values.key, folder: values.into };
  } catch (error) {
    throw new UsageFault(`${(error as Error).message}. Usage: ${usage}`);
  }
}

/** Refuses a version that differs from the version in package.json: each version belongs to one commit. */
function refuseOtherVersion(version: string): void {
  const { version: own } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  if (own !== version) {
    throw new UsageFault(`package.json says ${own}, not ${version}. Set its version, write the entry in CHANGELOG.md, and commit.`);
  }
}

function refuseChanges(): void {
  const changed = command('git', ['status', '--porcelain']).trim();
  if (changed !== '') throw new UsageFault(`Files differ from the commit. Commit or remove:\n${changed}`);
}
