import type { Report } from './find-options.ts';

const EVERY_MILLISECONDS = 10_000;

/** Reports a long step to the operator: its start, its progress every ten seconds, and its end. */
export interface Progress extends Disposable {
  /** Reports the start of the step. Later calls change nothing. */
  start(): void;
  /** Sets how much is done, such as `312 of 780 packages`, for the next report of progress. */
  reached(share: string): void;
  /** Reports the end of the step, with its duration. Without this call, the step ends silently. */
  done(): void;
}

export function progress(report: Report, step: string): Progress {
  let begun: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let share = '';
  const seconds = (): number => Math.round((performance.now() - (begun ?? performance.now())) / 1000);
  return {
    start() {
      if (begun !== undefined) return;
      begun = performance.now();
      report(`${step} …`);
      timer = setInterval(() => report(`${step} … ${seconds()} s${share}`), EVERY_MILLISECONDS);
    },
    reached(now) {
      share = `, ${now}`;
    },
    done() {
      clearInterval(timer);
      report(`${step}: done in ${seconds()} s`);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}
