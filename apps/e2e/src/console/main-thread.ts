/** An event of a trace of Chromium; times in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  /** CPU time of the thread within `dur`; the rest is waiting for a processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** A task of a page's main thread: elapsed time (`clock`) and CPU time (`own`), in milliseconds. */
export interface Task {
  readonly clock: number;
  readonly own: number;
}

const names = ['RunTask', 'ThreadControllerImpl::RunTask'];

/** The tasks of the main threads of all pages in a trace. */
export function tasksOf(events: readonly TraceEvent[]): Task[] {
  const keyOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
    .map(keyOf));
  return events.filter((event) => names.includes(event.name) && main.has(keyOf(event)))
    .map(({ dur = 0, tdur = dur }) => ({ clock: dur / 1_000, own: tdur / 1_000 }));
}

/** Sum of the CPU time beyond 50 ms of each task; people notice tasks longer than that. */
export function ownBlocking(tasks: readonly Task[]): number {
  return Math.round(tasks.reduce((sum, { own }) => sum + Math.max(0, own - 50), 0));
}
