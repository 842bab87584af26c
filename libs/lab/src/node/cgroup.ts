import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = '/sys/fs/cgroup';

/** Name of the cgroup under which the pods of a node run, the same for the same folder. */
export function cgroupOf(folder: string): string {
  return `platform-lab-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
}

/**
 * Share of the CPU that all pods together have beside other work on the machine, in busy processes: 16 for each core.
 * A new cgroup has that of one.
 */
const weight = 16 * availableParallelism();

/** The kubelet wants its cgroup to exist: in each hierarchy of version 1, or in the one of version 2. */
export async function makeCgroup(name: string): Promise<void> {
  if (await isUnified()) {
    await writeFile(join(root, 'cgroup.subtree_control'), '+cpu +memory +pids +cpuset');
    await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, name, 'cpu.weight'), String(Math.min(100 * weight, 10_000)));
    return;
  }
  await Promise.all((await hierarchies()).map((folder) => mkdir(join(folder, name), { recursive: true })));
  await writeFile(join(root, 'cpu', name, 'cpu.shares'), String(Math.min(1_024 * weight, 262_144)));
  // A new cpuset is empty, and takes no process.
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    await writeFile(join(root, 'cpuset', name, file), await readFile(join(root, 'cpuset', file)));
  }
}

/** Removes it with all below it; nothing runs in it any more. What cannot be removed, the next start uses again. */
export async function removeCgroup(name: string): Promise<void> {
  const folders = (await isUnified() ? [root] : await hierarchies()).map((folder) => join(folder, name));
  // The kernel takes a moment to forget processes that were killed.
  for (let attempt = 0; attempt < removeAttempts; attempt += 1) {
    const gone = await Promise.all(folders.map(removeTree));
    if (!gone.includes(false)) return;
    await pause(100);
  }
}

const removeAttempts = 50;

/** Whether it is gone. */
async function removeTree(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  return rmdir(folder).then(() => true, (error: NodeJS.ErrnoException) => error.code === 'ENOENT');
}

function isUnified(): Promise<boolean> {
  return access(join(root, 'cgroup.controllers')).then(() => true, () => false);
}

async function hierarchies(): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  // `unified` is version 2, without controllers.
  return entries.filter((entry) => entry.isDirectory() && entry.name !== 'unified').map(({ name }) => join(root, name));
}
