interface Runs<Result> {
  current: Promise<Result>;
  next: Promise<Result> | undefined;
}

/**
 * Coalesces equal calls: at most one run per key at a time in this process. A caller that arrives during a run waits
 * for the next run, because the current run may have read its data already; all callers that arrive meanwhile share
 * this next run. So each caller gets a run that began after its call.
 *
 * A run does not use the deadline of a caller. Give the run its own deadline; each caller waits with the function
 * `within` and the caller's own deadline.
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
