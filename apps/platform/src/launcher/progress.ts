/** Reports the launcher's progress on the terminal. */
export interface Progress {
  /** Says one line. */
  readonly report: (line: string) => void;
  /** Runs a step of the start; reports its duration, and from time to time that it is still running. */
  step<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Interval at which a long step reports that it is still running, in milliseconds. */
const stillEvery = 5_000;

/** @param write receives whole lines, without a line break */
export function createProgress(write: (line: string) => void, stillEveryMs = stillEvery): Progress {
  return {
    report: write,
    step: async (name, work) => {
      const begun = performance.now();
      const elapsed = (): string => `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
      const timer = setInterval(() => write(`  ${name}: running for ${elapsed()} …`), stillEveryMs);
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
