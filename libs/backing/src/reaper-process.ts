/**
 * The program of the reaper (`reaper.ts`). It reads registrations of processes from standard input. The input ends when
 * the launcher ends or closes the reaper. The program then stops the registered processes.
 */
import { createInterface } from 'node:readline';
import { type ForeignProcess, processIdentity, stopProcess } from './process-identity.ts';
import type { ReaperMessage } from './reaper.ts';

const registrations = new Map<number, ForeignProcess>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Ignore the signal, because the reaper must run until its input ends.
  process.on(signal, () => undefined);
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as ReaperMessage;
  if ('forget' in message) {
    registrations.delete(message.forget);
    continue;
  }
  const { register: pid, stopSignal, graceMilliseconds } = message;
  const identity = processIdentity(pid);
  if (identity !== undefined) registrations.set(pid, { pid, identity, stopSignal, graceMilliseconds });
}

// Signal the newest process first, because it may depend on older processes. Do not wait between the signals: a fast
// stop matters more than errors in the logs.
await Promise.all([...registrations.values()].reverse().map(stopProcess));
process.exit(0);
