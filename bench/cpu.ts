import { readdirSync, readFileSync } from 'node:fs';

/** Kernel ticks are 1/100 s on Linux, whatever the machine (sysconf(_SC_CLK_TCK)). */
const msPerTick = 10;

interface ProcessTimes {
  pid: number;
  parent: number;
  /** Its own time and that of children it has reaped, in ms. */
  ms: number;
}

/** CPU time, user and system, that these processes and all their descendants have used so far, in ms. */
export function cpuOf(roots: readonly number[]): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => read(Number(name)))
    .filter((times) => times !== undefined);
  const wanted = new Set(roots);
  // Parents have lower places than their children only by chance, so look until nothing is added.
  for (let size = -1; size !== wanted.size; ) {
    size = wanted.size;
    for (const { pid, parent } of all) if (wanted.has(parent)) wanted.add(pid);
  }
  return all.reduce((sum, { pid, ms }) => (wanted.has(pid) ? sum + ms : sum), 0);
}

function read(pid: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything; the fields after it are numbers.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number);
    const [parent, utime, stime, cutime, cstime] = [fields[1]!, fields[11]!, fields[12]!, fields[13]!, fields[14]!];
    return { pid, parent, ms: (utime + stime + cutime + cstime) * msPerTick };
  } catch {
    return undefined;
  }
}
