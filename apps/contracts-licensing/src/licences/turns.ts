/** Queues acts on the same rows inside this process, before they take a connection to wait with. */
export interface Turns {
  /**
   * Runs `act` after all earlier acts on any of the `ids` have ended, in whatever way.
   * @param whenOver is awaited after the act, before the next one begins, but not by the caller. Never rejects
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
