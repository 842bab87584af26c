export interface Step {
  readonly name: string;
  /** Names of the steps that must be done before this step. */
  readonly after: readonly string[];
  run(signal: AbortSignal): Promise<unknown>;
}

/**
 * Runs each step once the steps in its `after` are done, concurrently where possible. The first failure aborts the
 * other steps. The function throws after all steps have ended.
 * @throws the first failure, or the signal's reason; RangeError for an unknown name or a cycle
 */
export async function runInOrder(steps: readonly Step[], signal: AbortSignal): Promise<void> {
  const failing = new AbortController();
  const all = AbortSignal.any([signal, failing.signal]);
  const runs = new Map<string, Promise<unknown>>();
  for (const step of sorted(steps)) {
    const run = Promise.all(step.after.map((name) => runs.get(name)!)).then(async () => {
      all.throwIfAborted();
      return step.run(all);
    });
    run.catch((error: unknown) => failing.abort(error));
    runs.set(step.name, run);
  }
  await Promise.allSettled(runs.values());
  all.throwIfAborted();
}

/** Sorts the steps: each step follows the steps in its `after`. @throws RangeError for an unknown name or a cycle */
export function sorted<S extends Pick<Step, 'name' | 'after'>>(steps: readonly S[]): S[] {
  const done = new Set<S>();
  const visit = (name: string, open: readonly string[]): void => {
    const step = steps.find((candidate) => candidate.name === name);
    if (step === undefined) throw new RangeError(`no step is named ${name}`);
    if (open.includes(name)) throw new RangeError(`${name} depends on itself`);
    for (const before of step.after) visit(before, [...open, name]);
    done.add(step);
  };
  for (const { name } of steps) visit(name, []);
  return [...done];
}
