/**
 * Runs functions for the same ids one after the other, within one process. A waiting function needs no database
 * connection.
 */
export interface Turns {
  /**
   * Runs `act` after all earlier functions for any of the `ids` have ended, successfully or not.
   * @param whenOver runs after `act` and must not reject. The next function waits for `whenOver`. The caller does not
   *   wait for it
   */
  take<Result>(ids: readonly number[], act: () => Promise<Result>, whenOver?: () => Promise<void>): Promise<Result>;
}

export function createTurns(): Turns {
  const latest = new Map<number, Promise<unknown>>();
  return {
    take: async (ids, act, whenOver = async () => undefined) => {
      const before = ids.flatMap((id) => latest.get(id) ?? []);
      const acting = Promise.allSettled(before).then(act);
      const over = acting.then(whenOver, whenOver);
      for (const id of ids) latest.set(id, over);
      void over.then(() => {
        for (const id of ids) if (latest.get(id) === over) latest.delete(id);
      });
      return await acting;
    },
  };
}
