import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Resident bytes of all descendants of these processes, by kind: `gateway`, `orgs-teams`, `openfga`, `postgres`.
 * Backends of PostgreSQL are added up without their shared buffers, which fill to their configured size.
 */
export function residentMemory(root: number, except: readonly string[] = []): Map<string, number> {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => read(Number(name)) ?? []);
  const wanted = new Set([root]);
  for (let size = 0; size !== wanted.size;) {
    size = wanted.size;
    for (const { pid, parent } of all) if (wanted.has(parent)) wanted.add(pid);
  }
  const byKind = new Map<string, number>();
  for (const { pid, kind, bytes } of all) {
    if (pid === root || !wanted.has(pid) || except.includes(kind)) continue;
    byKind.set(kind, (byKind.get(kind) ?? 0) + bytes);
  }
  return byKind;
}

/** Resets the peak of a process's resident memory. Returns its present resident memory, in MiB. */
export function beginPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return peakMemory(pid);
}

/** The peak of a process's resident memory, in MiB. */
export function peakMemory(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

function read(pid: number) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const [, app] = /\/apps\/([\w-]+)\//.exec(args.join(' ')) ?? [];
    const kind = app ?? program.split(/[ :]/)[0]!.split('/').at(-1)!;
    return { pid, parent: field('PPid'), kind, bytes: (field('RssAnon') + field('RssFile')) * 1024 };
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}
