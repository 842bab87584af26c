/**
 * Gathers items into batches, and passes the batches to a function in the order of arrival. Disposing drops the items
 * that were not passed on yet, and waits for the calls of the function.
 */
interface Gatherer<Item> extends AsyncDisposable {
  /** Adds an item to the next batch. The batch is passed on after {@link gatherMs} or at the next `flush`. */
  add(item: Item): void;
  /**
   * Passes on the gathered items, without waiting for more. Returns when the next batch can be passed on at once.
   * @throws the first error of `handle`
   */
  flush(): Promise<void>;
}

/** How long a batch waits for more items, in milliseconds. A transaction for each item would take ten times the CPU. */
const gatherMs = 250;
/** Maximum number of calls of `handle` at once. */
const mostCalls = 2;

/** @param handle called with each batch, up to {@link mostCalls} times at once */
export function gather<Item>(handle: (batch: readonly Item[]) => Promise<void>): Gatherer<Item> {
  let gathered: Item[] = [];
  let isDue = false;
  let timer: NodeJS.Timeout | undefined;
  let failure: { readonly error: unknown } | undefined;
  const calls = new Set<Promise<void>>();

  function passOn(): void {
    if (!isDue || calls.size === mostCalls) return;
    isDue = false;
    clearTimeout(timer);
    timer = undefined;
    const batch = gathered;
    gathered = [];
    const call = handle(batch)
      .catch((error: unknown) => void (failure ??= { error }))
      .finally(() => {
        calls.delete(call);
        passOn();
      });
    calls.add(call);
  }

  function becomeDue(): void {
    isDue = gathered.length > 0;
    passOn();
  }

  return {
    add: (item) => {
      gathered.push(item);
      timer ??= setTimeout(becomeDue, gatherMs);
    },
    flush: async () => {
      becomeDue();
      while (gathered.length > 0 || calls.size === mostCalls) await Promise.race(calls);
      if (failure !== undefined) throw failure.error;
    },
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer);
      isDue = false;
      gathered = [];
      await Promise.all(calls);
    },
  };
}
