// `npm run release -- VERSION`: makes what others install, from a clean tree, into dist/: docs/releasing.md. The same
// commit makes the same bytes. Exit code 0: made; 1: something failed; 2: wrong usage, or not what is committed.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../checks/run-command.ts';
import { packCharts } from './charts.ts';
import { writeChecksums } from './checksums.ts';
import { command, ReleaseFault } from './command.ts';
import { noticesOfLock } from './notices.ts';
import { packCli, packClient } from './npm-packages.ts';
import { zipProtos } from './protos.ts';
import type { Release } from './release.ts';

class UsageFault extends Error {}

interface Given {
  readonly version: string;
  readonly key: string | undefined;
  readonly folder: string;
}

try {
  const given = readArguments();
  refuseOtherVersion(given.version);
  refuseChanges();
  await release(given);
} catch (error) {
  if (!(error instanceof UsageFault) && !(error instanceof ReleaseFault)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof UsageFault ? 2 : 1;
}

function readArguments(): Given {
  const usage = 'npm run release -- VERSION [--key FILE] [--into FOLDER]';
  try {
    const options = { key: { type: 'string' }, into: { type: 'string', default: join(root, 'dist') } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [version, ...more] = positionals;
    if (version === undefined || more.length > 0) throw new Error('one version is needed');
    return { version, key: values.key, folder: values.into };
  } catch (error) {
    throw new UsageFault(`${(error as Error).message}. Usage: ${usage}`);
  }
}

/** The version of a release is a commit: package.json, the changelog and the charts name it. */
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

async function release({ version, key, folder }: Given): Promise<void> {
  if (existsSync(folder)) throw new UsageFault(`${folder} is there. Remove it, or name another folder with --into.`);
  const epoch = Number(command('git', ['log', '-1', '--format=%ct']));
  const made: Release = { version, epoch, folder, work: `${folder}.work` };
  rmSync(made.work, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    tell(await packClient(made), 'the REST API for TypeScript and JavaScript');
    tell(await packCli(made), 'the command line');
    for (const chart of packCharts(made)) tell(chart, 'for Helm');
    tell(zipProtos(made), 'gRPC');
    cpSync(join(root, 'docs/openapi.json'), join(folder, 'openapi.json'));
    tell(join(folder, 'openapi.json'), 'REST');
    writeFileSync(join(folder, 'THIRD-PARTY-NOTICES'), noticesOfLock());
    tell(join(folder, 'THIRD-PARTY-NOTICES'), 'licences of the packages that run');
    writeChecksums(made, key);
    tell(join(folder, 'SHA256SUMS'), key === undefined ? 'not signed: no --key' : 'signed: SHA256SUMS.sig');
  } catch (error) {
    // A folder that holds a part of a release looks like a release.
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    rmSync(made.work, { recursive: true, force: true });
  }
}

function tell(file: string, what: string): void {
  console.log(`${relative(process.cwd(), file)}  ${what}`);
}
