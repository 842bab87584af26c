import { createHash, randomBytes } from 'node:crypto';
import { linkSync, readFileSync, realpathSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../pinned-node.mjs';

const EVERY_MILLISECONDS = 10_000;

// The lock file is not in node_modules, because `npm ci` deletes that folder.
const key = createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 16);
const lockFile = join(tmpdir(), `platform-prepare-${process.getuid?.() ?? 0}-${key}.lock`);

/**
 * Runs `work` while this process holds the lock for this user and this clone. Waits while another running process holds
 * the lock. Deletes the lock of a process that has ended.
 */
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
      console.error(`Another command (pid ${holder.pid}) is preparing this clone; waiting … ${seconds} s`);
    }
    await pause(200);
  }
  const release = () => rmSync(lockFile, { force: true });
  process.on('exit', release);
  await work();
  process.off('exit', release);
  release();
}

/**
 * Creates the lock file. Returns false if the lock file already exists. Writes a draft and then links it, so that no
 * process reads an incomplete lock file.
 */
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
    // The lock was released meanwhile.
    return undefined;
  }
}

/**
 * Returns the start time of a process as in `/proc/<pid>/stat`. On systems other than Linux, returns `running`. Returns
 * null if the process does not exist. On Linux, a later process with the same pid has another start time.
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
