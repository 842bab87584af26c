import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * What tells a process from a later one with the same pid: boot and start time. Undefined when no such process runs
 * (a zombie counts as ended).
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxIdentity(pid) : psIdentity(pid);
}

function linuxIdentity(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name in parentheses may hold blanks and parentheses: fields are counted from its end. State is field 3,
  // start time field 22 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
}

function psIdentity(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000 }).trim();
  } catch {
    return undefined;
  }
}

/** Sends a signal to a process if it is still the one meant. */
function signalProcess(pid: number, identity: string, signal: NodeJS.Signals): void {
  if (processIdentity(pid) !== identity) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Stops a process that is not our child: signal, grace, SIGKILL. Resolves when it has ended. */
export async function stopProcess(
  pid: number,
  identity: string,
  stopSignal: NodeJS.Signals,
  graceMilliseconds: number,
): Promise<void> {
  signalProcess(pid, identity, stopSignal);
  const killAt = performance.now() + graceMilliseconds;
  let killed = false;
  while (processIdentity(pid) === identity) {
    if (!killed && performance.now() >= killAt) {
      signalProcess(pid, identity, 'SIGKILL');
      killed = true;
    }
    await pause(20);
  }
}
