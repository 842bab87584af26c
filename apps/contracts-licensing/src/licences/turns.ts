/** Acts on the same rows that wait for each other in this process, before they take a connection to wait with. */
export interface Turns {
  /** Runs `act` when all acts on one of the `ids` that were given before have ended, however they ended. */
  take<Result>(ids: readonly number[], act: () => Promise<Result>): Promise<Result>;
}

export function createTurns(): Turns {
  const latest = new Map<number, Promise<unknown>>();
  return {
    take: async (ids, act) => {
      const before = ids.flatMap((id) => latest.get(id) ?? []);
      const acting = Promise.allSettled(before).then(act);
      for (const id of ids) latest.set(id, acting);
      try {
        return await acting;
      } finally {
        for (const id of ids) if (latest.get(id) === acting) latest.delete(id);
      }
    },
  };
}
