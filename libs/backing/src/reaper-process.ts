/**
 * The program of the reaper (`reaper.ts`). It reads registrations from standard input. When the launcher ends, the
 * kernel closes its end of the pipe, so the end of the input means that the launcher is gone.
 */
import { createInterface } from 'node:readline';
import { processIdentity, stopProcess } from './process-identity.ts';
import type { ReaperMessage } from './reaper.ts';

interface Registration {
  readonly identity: string;
  readonly stopSignal: NodeJS.Signals;
  readonly graceMilliseconds: number;
}

const registrations = new Map<number, Registration>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Only the end of the launcher ends the reaper.
  process.on(signal, () => undefined);
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as ReaperMessage;
  if ('forget' in message) {
    registrations.delete(message.forget);
    continue;
  }
  const identity = processIdentity(message.register);
  if (identity !== undefined) registrations.set(message.register, { ...message, identity });
}

// Signal the newest process first, because later processes depend on earlier ones. The signals do not wait for each
// other: the launcher is gone, and speed matters more than a log without errors.
await Promise.all(
  [...registrations]
    .reverse()
    .map(([pid, { identity, stopSignal, graceMilliseconds }]) =>
      stopProcess(pid, identity, stopSignal, graceMilliseconds),
    ),
);
process.exit(0);
