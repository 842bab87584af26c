interface Runs<Result> {
  current: Promise<Result>;
  next: Promise<Result> | undefined;
}

/**
 * Coalesces equal calls: at most one run per key at a time in this process. A call during a run waits for the next run,
 * because the current run may have read older data. All calls during a run share the next run. A run needs its own
 * deadline. Each caller waits with `within` and the caller's deadline.
 */
export function coalesce<Key, Result>(run: (key: Key) => Promise<Result>): (key: Key) => Promise<Result> {
  const runs = new Map<Key, Runs<Result>>();

  function start(key: Key): Promise<Result> {
    const own: Runs<Result> = { current: run(key), next: undefined };
    runs.set(key, own);
    const ended = (): void => {
      if (runs.get(key) === own && own.next === undefined) runs.delete(key);
    };
    own.current.then(ended, ended);
    return own.current;
  }

  return (key) => {
    const known = runs.get(key);
    if (known === undefined) return start(key);
    known.next ??= known.current.then(() => start(key), () => start(key));
    return known.next;
  };
}
