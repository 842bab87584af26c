import type { Report } from './find-options.ts';

const EVERY_MILLISECONDS = 10_000;

/** Shows a long step to the operator: that it began, every ten seconds that it goes on, and that it is done. */
export interface Progress extends Disposable {
  /** Begins, once; later calls change nothing. */
  start(): void;
  /** How far it is, such as `312 of 780 packages`: said with the next line. */
  reached(share: string): void;
  /** Reports the end with the time it took; without it the step ends silently. */
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
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}
