export type Progress = ReturnType<typeof createProgress>;

/** @param report receives whole lines, without a line break */
export function createProgress(report: (line: string) => void) {
  return {
    report,
    /**
     * Runs a step of the start. Reports every 5 s that the step still runs. If the step succeeds, reports how long the
     * step took.
     */
    step: async (name: string, work: () => Promise<void>): Promise<void> => {
      const begun = performance.now();
      const elapsed = (): string => `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
      const timer = setInterval(() => report(`  ${name} starting (${elapsed()}) …`), 5_000);
      try {
        await work();
        report(`  ${name} ready (${elapsed()})`);
      } finally {
        clearInterval(timer);
      }
    },
  };
}
