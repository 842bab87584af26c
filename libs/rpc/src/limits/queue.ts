import { type Deadline, DeadlineExceeded, within } from '@platform/service';
import { unavailable } from '../faults/fault.ts';

/**
 * Runs work one after the other, in the order in which it came. Work whose deadline has passed or whose caller has left
 * is skipped.
 * @throws Fault UNAVAILABLE when too many wait, DeadlineExceeded, or what the work throws
 */
export type Queue = <Result>(deadline: Deadline, work: () => Promise<Result>) => Promise<Result>;

/** @param what names the queue, for errors @param most work that waits or runs */
export function createQueue(what: string, most: number): Queue {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (deadline, work) => {
    if (waiting >= most) throw unavailable(what);
    waiting += 1;
    const turn = last.then(() => {
      if (deadline.signal.aborted) throw new DeadlineExceeded(what);
      return work();
    });
    last = turn.catch(() => undefined).finally(() => {
      waiting -= 1;
    });
    return within(deadline, turn, what);
  };
}
