/** Queues acts on the same rows inside this process, so that waiting acts hold no database connection. */
export interface Turns {
  /**
   * Runs `act` after all earlier acts on any of the `ids` have ended, successfully or not.
   * @param whenOver runs after the act. The next act waits for it, the caller does not. It never rejects
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
