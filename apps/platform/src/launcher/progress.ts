/** What the launcher says on its terminal while it works. */
export interface Progress {
  /** Says one line. */
  readonly report: (line: string) => void;
  /** Does a step of the start; says how long it took, and now and then that it is still under way. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** A step that takes longer than this many milliseconds says so, and again each time that long. */
const stillEvery = 5_000;

/** @param write receives whole lines, without a line break */
export function createProgress(write: (line: string) => void, stillEveryMs = stillEvery): Progress {
  return {
    report: write,
    step: async (name, work) => {
      const begun = performance.now();
      const elapsed = (): string => `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
      const timer = setInterval(() => write(`  ${name}: under way for ${elapsed()} …`), stillEveryMs);
      try {
        const result = await work();
        write(`  ${name} ready (${elapsed()})`);
        return result;
      } finally {
        clearInterval(timer);
      }
    },
  };
}
