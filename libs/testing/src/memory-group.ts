import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { held } from './harness.ts';
import { until } from './until.ts';

/** Processes that share a bound on their memory: a control group of the kernel. Empty it before disposing. */
export interface MemoryGroup extends AsyncDisposable {
  /** What a shell does to be in it, and what it then becomes. */
  readonly confine: string;
  /** Bytes that belong to them alone, files that could be read again left out. */
  resident(): Promise<number>;
  /** Bytes in all. */
  used(): Promise<number>;
  bound(bytes: number): Promise<void>;
  /** How many of them the kernel has ended for want of memory. */
  killed(): Promise<number>;
  /** A group in this one, with a bound of its own. */
  inner(bytes: number): Promise<MemoryGroup>;
}

const root = '/sys/fs/cgroup/memory';

/** Undefined where groups of version 1 are not there, or not ours to make. */
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
      // A process that has ended leaves it a moment later.
      await until(() => rmdir(folder).then(() => true), { what: 'the group is empty' });
    },
  });
}
