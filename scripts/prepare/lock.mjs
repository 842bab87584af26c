import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../pinned-node.mjs';

const EVERY_MILLISECONDS = 10_000;

// Outside the clone, because `npm ci` deletes node_modules and other folders of the clone belong to the user.
const key = createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 16);
const lockFile = join(tmpdir(), `platform-prepare-${process.getuid?.() ?? 0}-${key}.lock`);

/** Runs `work` while no other preparation of this clone runs. Takes over the lock of a process that has ended. */
export async function exclusively(work) {
  const begun = Date.now();
  let told = 0;
  while (!take()) {
    const holder = readHolder();
    if (holder !== undefined && startTime(holder.pid) !== holder.started) {
      rmSync(lockFile, { force: true });
      continue;
    }
    if (holder !== undefined && Date.now() - told >= EVERY_MILLISECONDS) {
      told = Date.now();
      const seconds = Math.round((told - begun) / 1000);
      console.error(`Another command (pid ${holder.pid}) prepares this clone; waiting … ${seconds} s`);
    }
    await pause(200);
  }
  const release = () => rmSync(lockFile, { force: true });
  process.on('exit', release);
  await work();
  process.off('exit', release);
  release();
}

/** Write the file first and link it into place, so that a lock always names its holder. */
function take() {
  const draft = `${lockFile}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, started: startTime(process.pid) }));
  try {
    linkSync(draft, lockFile);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

function readHolder() {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8'));
  } catch {
    // Released meanwhile.
    return undefined;
  }
}

/**
 * A value that distinguishes a process from a later one with the same pid; null if the system has none or the process
 * does not exist.
 */
function startTime(pid) {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
    } catch {
      return null;
    }
  }
  try {
    process.kill(pid, 0);
    return 'running';
  } catch (error) {
    return error.code === 'EPERM' ? 'running' : null;
  }
}
