import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { held } from './harness.ts';
import { until } from './until.ts';

/** Processes with a shared memory limit: a control group of the kernel. End all of them before disposing. */
export interface MemoryGroup extends AsyncDisposable {
  /** Shell commands that put a process into the group before it starts its program. */
  readonly confine: string;
  /** Bytes that the processes hold in memory, without cached files. */
  resident(): Promise<number>;
  /** All bytes of the group, including cached files. */
  used(): Promise<number>;
  bound(bytes: number): Promise<void>;
  /** Number of processes that the kernel has killed because of the limit. */
  killed(): Promise<number>;
  /** Creates a group within this one, with its own limit. */
  inner(bytes: number): Promise<MemoryGroup>;
}

const root = '/sys/fs/cgroup/memory';

/** Returns undefined if control groups of version 1 do not exist, or this process may not create one. */
export async function memoryGroup(bytes: number): Promise<MemoryGroup | undefined> {
  const own = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  const path = /^\d+:memory:(.*)$/m.exec(own)?.[1];
  if (path === undefined) return undefined;
  return makeGroup(join(root, path), bytes).catch(() => undefined);
}

async function makeGroup(parent: string, bytes: number): Promise<MemoryGroup> {
  const folder = join(parent, `platform-${randomUUID().slice(0, 8)}`);
  await mkdir(folder);
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  const bound = (most: number) => writeFile(join(folder, 'memory.limit_in_bytes'), String(most));
  const entry = async (file: string, name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(await read(file))?.[1]);
  await bound(bytes);
  let isThere = true;
  return held({
    confine: `echo $$ > '${folder}/cgroup.procs'`,
    resident: () => entry('memory.stat', 'total_rss'),
    used: async () => Number(await read('memory.usage_in_bytes')),
    bound,
    killed: () => entry('memory.oom_control', 'oom_kill'),
    inner: (most) => makeGroup(folder, most),
    [Symbol.asyncDispose]: async () => {
      if (!isThere) return;
      isThere = false;
      // A process leaves the group a moment after its end.
      await until(() => rmdir(folder).then(() => true), { what: 'the group is empty' });
    },
  });
}
