/**
 * Gathers items into batches, and passes the batches to a function in the order of arrival. Disposing drops the items
 * that were not passed on yet, and waits for the calls of the function.
 */
interface Gatherer<Item> extends AsyncDisposable {
  /** Adds an item to the next batch. The batch is passed on after {@link gatherMs} or at the next `flush`. */
  add(item: Item): void;
  /**
   * Passes on the gathered items as soon as a call can begin, without waiting for more. Returns at once, or when the
   * gathered batch is no longer full.
   * @throws the first error of `handle`
   */
  flush(): Promise<void>;
}

/** How long a batch waits for more items, in milliseconds. A transaction for each item would take ten times the CPU. */
const gatherMs = 250;
/** Maximum number of calls of `handle` at once. */
const mostCalls = 3;

/**
 * @param handle called with each batch, up to {@link mostCalls} times at once
 * @param isFull whether a batch must be passed on before more items are added
 */
export function gather<Item>(
  handle: (batch: readonly Item[]) => Promise<void>, isFull: (batch: readonly Item[]) => boolean,
): Gatherer<Item> {
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
      while (isFull(gathered)) await Promise.race(calls);
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
