import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = '/sys/fs/cgroup';

/** Returns the name of the cgroup for the pods of a node. The same folder always gives the same name. */
export function cgroupOf(folder: string): string {
  return `platform-lab-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
}

/**
 * CPU weight of the cgroup for the pods, as a multiple of the default weight. It is high, because all pods together
 * compete with the other processes of the machine.
 */
const weight = 16 * availableParallelism();

/** Creates the cgroup for the pods: in each hierarchy of cgroup v1, or in the one hierarchy of cgroup v2. */
export async function makeCgroup(name: string): Promise<void> {
  if (await isUnified()) {
    await writeFile(join(root, 'cgroup.subtree_control'), '+cpu +memory +pids +cpuset');
    await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, name, 'cpu.weight'), String(Math.min(100 * weight, 10_000)));
    return;
  }
  await Promise.all((await hierarchies()).map((folder) => mkdir(join(folder, name), { recursive: true })));
  await writeFile(join(root, 'cpu', name, 'cpu.shares'), String(Math.min(1_024 * weight, 262_144)));
  // Copy the CPUs and the memory of the parent. A new cpuset has none, so no process could be added to it.
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    await writeFile(join(root, 'cpuset', name, file), await readFile(join(root, 'cpuset', file)));
  }
}

/**
 * Removes a cgroup and all cgroups inside it, once their processes have ended. Gives up after about five seconds.
 * {@link makeCgroup} accepts a cgroup that was not removed.
 */
export async function removeCgroup(name: string): Promise<void> {
  const folders = (await isUnified() ? [root] : await hierarchies()).map((folder) => join(folder, name));
  // The kernel keeps killed processes in their cgroup for a moment.
  for (let attempt = 0; attempt < removeAttempts; attempt += 1) {
    const gone = await Promise.all(folders.map(removeTree));
    if (!gone.includes(false)) return;
    await pause(100);
  }
}

const removeAttempts = 50;

/** Tries to remove a cgroup and all cgroups inside it. Returns whether the cgroup is gone. */
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
  // The folder `unified` is a hierarchy of version 2 without controllers.
  return entries.filter((entry) => entry.isDirectory() && entry.name !== 'unified').map(({ name }) => join(root, name));
}
