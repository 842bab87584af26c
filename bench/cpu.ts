import { readdirSync, readFileSync } from 'node:fs';

/** A kernel tick is usually 1/100 s (sysconf(_SC_CLK_TCK)). */
const msPerTick = 10;

interface ProcessTimes {
  pid: number;
  parent: number;
  /** CPU time of the process and of its ended children, in ms. */
  ms: number;
}

/** CPU time used so far, user and system, in ms. */
export interface Cpu {
  total: number;
  /** CPU time by kind of process, such as `gateway` or `postgres`. */
  byKind: ReadonlyMap<string, number>;
}

/** CPU time used so far by these processes and all their descendants. */
export function cpuOf(roots: readonly number[]): Cpu {
  const byKind = new Map<string, number>();
  let total = 0;
  for (const { pid, ms } of family(roots)) {
    total += ms;
    const kind = kindOf(pid);
    byKind.set(kind, (byKind.get(kind) ?? 0) + ms);
  }
  return { total, byKind };
}

/** Returns the ids of these processes and their descendants that are still running. */
export function descendantsOf(roots: readonly number[]): number[] {
  return family(roots).map(({ pid }) => pid);
}

function family(roots: readonly number[]): ProcessTimes[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => read(Number(name)))
    .filter((times) => times !== undefined);
  const wanted = new Set(roots);
  // The list is not sorted by parent, so repeat until a pass adds no process.
  for (let size = -1; size !== wanted.size; ) {
    size = wanted.size;
    for (const { pid, parent } of all) if (wanted.has(parent)) wanted.add(pid);
  }
  return all.filter(({ pid }) => wanted.has(pid));
}

const kinds = new Map<number, string>();

/**
 * Returns the app or the program of bench/ in the command line of a process. If there is neither, returns the name
 * of the executable.
 */
export function kindOf(pid: number): string {
  let kind = kinds.get(pid);
  if (kind === undefined) {
    const [program = '', ...args] = text(`/proc/${pid}/cmdline`).split('\0');
    const app = args.map((argument) => /(?:apps|bench)\/(?<name>[^/]+(?:\/[^/.]+)?)/.exec(argument)?.groups!['name']);
    kind = app.find((name) => name !== undefined)?.replace('/src', '')
      ?? program.split(/[ :]/)[0]!.split('/').at(-1)!;
    kinds.set(pid, kind);
  }
  return kind;
}

function read(pid: number): ProcessTimes | undefined {
  const stat = text(`/proc/${pid}/stat`);
  if (stat === '') return undefined;
  // The second field is a name in parentheses that may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ').map(Number);
  const [parent, utime, stime, cutime, cstime] = [fields[1]!, fields[11]!, fields[12]!, fields[13]!, fields[14]!];
  return { pid, parent, ms: (utime + stime + cutime + cstime) * msPerTick };
}

/** Reads a file of a process. Returns an empty string if the file is unreadable, because the process may have ended. */
function text(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
