import { cpus } from 'node:os';

/** Number of cores of this machine, and their CPU time so far, in milliseconds. */
export interface CoreTimes {
  readonly cores: number;
  readonly busy: number;
  readonly idle: number;
}

export function coreTimes(): CoreTimes {
  const times = cpus().map((core) => core.times);
  const sum = (of: (one: (typeof times)[number]) => number) => times.reduce((all, one) => all + of(one), 0);
  return {
    cores: times.length,
    busy: sum(({ user, nice, sys, irq }) => user + nice + sys + irq),
    idle: sum(({ idle }) => idle),
  };
}

/** Returns the CPU usage of the machine between two moments, by all processes, such as `87 % of 2 cores`. */
export function busyBetween(before: CoreTimes, after: CoreTimes): string {
  const [busy, idle] = [after.busy - before.busy, after.idle - before.idle];
  return `${Math.round(100 * busy / Math.max(1, busy + idle))} % of ${after.cores} cores`;
}
