import { createLimiter, type Deadline } from '@platform/service';

/**
 * Runs `store` when its turn has come, in the order of the calls.
 * @param isLate whether the result depends on the order of arrival; no other call then runs at the same time
 */
export type StoreTurns = <Result>(deadline: Deadline, isLate: boolean, store: () => Promise<Result>) => Promise<Result>;

/**
 * Creates turns for batches of events. Two batches are stored at once, so that the process prepares one while
 * PostgreSQL stores the other.
 */
export function createStoreTurns(): StoreTurns {
  const slots = createLimiter(2, 'storing events');
  // A call takes all its slots before the next call takes any.
  const gate = createLimiter(1, 'storing events');
  return async (deadline, isLate, store) => {
    using taken = new DisposableStack();
    await gate.run(deadline, async () => {
      taken.defer(await slots.enter(deadline));
      if (isLate) taken.defer(await slots.enter(deadline));
    });
    return await store();
  };
}
