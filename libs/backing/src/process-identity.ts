import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Returns a text with the start time of a process. A later process with the same pid has another start time.
 * Returns undefined if no such process runs. On Linux, a zombie counts as ended.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxIdentity(pid);
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 }).trim();
  } catch {
    return undefined;
  }
}

function linuxIdentity(pid: number): string | undefined {
  const stat = linuxStat(pid);
  if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return undefined;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${stat.startTime}`;
}

function linuxStat(pid: number) {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may contain spaces and parentheses, so the fields are counted from its end. State is field
  // 3, parent field 4, start time field 22 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0], parent: Number(fields[1]), startTime: fields[19] };
}

function signalProcess(pid: number, identity: string, signal: NodeJS.Signals): void {
  if (processIdentity(pid) !== identity) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Kills a process and its children. Resolves when all of them have ended. A remaining child of PostgreSQL would keep
 * the shared memory, and the next start would fail. Children may be in other process groups, so they are found by their
 * parent.
 */
export async function killWithChildren(pid: number): Promise<void> {
  // List the children before the process ends: afterwards they have another parent.
  const family = [pid, ...childrenOf(pid)].flatMap((member) => {
    const identity = processIdentity(member);
    return identity === undefined ? [] : [{ pid: member, identity }];
  });
  for (const { pid: member, identity } of family) signalProcess(member, identity, 'SIGKILL');
  while (family.some(({ pid: member, identity }) => processIdentity(member) === identity)) await pause(20);
}

function childrenOf(pid: number): number[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc').map(Number).filter((other) => other > 0 && linuxStat(other)?.parent === pid);
  }
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8', timeout: 5_000 });
  const rows = table.trim().split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([child, parent]) => (parent === pid ? [child!] : []));
}

/** A process and how to stop it. The process need not be a child of this process. */
export interface ForeignProcess {
  readonly pid: number;
  readonly identity: string;
  readonly stopSignal: NodeJS.Signals;
  readonly graceMilliseconds: number;
}

/**
 * Sends the stop signal. If the process still runs after the grace period, kills the process and its children. Resolves
 * when the process has ended.
 */
export async function stopProcess({ pid, identity, stopSignal, graceMilliseconds }: ForeignProcess): Promise<void> {
  signalProcess(pid, identity, stopSignal);
  const killAt = performance.now() + graceMilliseconds;
  while (processIdentity(pid) === identity) {
    if (performance.now() >= killAt) return killWithChildren(pid);
    await pause(20);
  }
}
