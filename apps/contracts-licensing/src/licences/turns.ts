/** Acts on the same rows that wait for each other in this process, before they take a connection to wait with. */
export interface Turns {
  /**
   * Runs `act` when all acts on one of the `ids` that were given before have ended, however they ended.
   * @param whenOver is waited for after the act, before the next one begins; not by the caller. Never rejects
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
