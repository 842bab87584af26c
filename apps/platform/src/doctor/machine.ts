import { readFile, statfs } from 'node:fs/promises';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { type CheckOutcome, failed, passed } from './check.ts';

const mebibyte = 1024 * 1024;
const leastDisk = 1024 * mebibyte;
const leastMemory = 256 * mebibyte;
const leastFiles = 1_024;
const area = 'machine';

export async function checkMachine(home: string): Promise<CheckOutcome[]> {
  const processors = passed(area, 'processors', String(availableParallelism()));
  return [nodeVersion(), processors, await memory(), await disk(home), await openFiles()];
}

function nodeVersion(): CheckOutcome {
  const { node } = process.versions;
  if (Number(node.split('.')[0]) >= 24) return passed(area, 'node', node);
  return failed(area, 'node', `this is Node ${node}`, 'Run the command as `./platform`, which runs on the pinned Node 24.');
}

async function memory(): Promise<CheckOutcome> {
  const available = await availableMemory();
  const found = `${inMebibytes(available)} of ${inMebibytes(totalmem())} available`;
  if (available >= leastMemory) return passed(area, 'memory', found);
  return failed(area, 'memory', found, `End other programs until ${inMebibytes(leastMemory)} are available.`);
}

/** Returns the memory that is available without swapping, in bytes. If this is unknown, returns the free memory. */
async function availableMemory(): Promise<number> {
  const table = await readFile('/proc/meminfo', 'utf8').catch(() => '');
  const kibibytes = /^MemAvailable:\s+(\d+) kB$/m.exec(table)?.[1];
  return kibibytes === undefined ? freemem() : Number(kibibytes) * 1024;
}

async function disk(home: string): Promise<CheckOutcome> {
  try {
    const { bavail, bsize } = await statfs(home);
    const found = `${inMebibytes(bavail * bsize)} free at ${home}`;
    if (bavail * bsize >= leastDisk) return passed(area, 'disk', found);
    const free = `Remove files from this disk until ${inMebibytes(leastDisk)} are free`;
    const fix = `${free}, or set PLATFORM_HOME to a folder on another disk.`;
    return failed(area, 'disk', found, fix);
  } catch (error) {
    const found = `${home}: ${(error as Error).message}`;
    return failed(area, 'disk', found, 'Start the platform once with `npm start`, or correct PLATFORM_HOME.');
  }
}

async function openFiles(): Promise<CheckOutcome> {
  const table = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const limit = /^Max open files\s+(\S+)/m.exec(table)?.[1];
  if (limit === undefined) return passed(area, 'open files', 'unknown on this system');
  if (limit === 'unlimited' || Number(limit) >= leastFiles) return passed(area, 'open files', limit);
  return failed(area, 'open files', `at most ${limit}`, `Raise the limit: \`ulimit -n ${leastFiles}\`.`);
}

function inMebibytes(bytes: number): string {
  return `${Math.floor(bytes / mebibyte)} MiB`;
}
