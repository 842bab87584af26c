import { visible } from './visible.ts';

/** Time until a command first shows what it is doing, in milliseconds. */
const firstMs = 3_000;
/** Interval at which a command shows again what it is doing, in milliseconds. */
const everyMs = 5_000;

export interface Step {
  /** Reports how much of the step is done, such as `400 of 1000`. */
  reached(share: string): void;
}

interface Shown {
  readonly begun: number;
  timer: NodeJS.Timeout;
  waiting: string;
  name: string | undefined;
  share: string | undefined;
}

let shown: Shown | undefined;

/**
 * Sets the name of the step that the command runs now. After three seconds, and then every five seconds, the name is
 * written to standard error: `Creating users … 8 s, 400 of 1000`. The seconds count from the first call of this
 * function or of {@link waitFor}. {@link endProgress} ends the output.
 */
export function step(name: string): Step {
  const progress = begin();
  [progress.name, progress.share] = [name, undefined];
  return {
    reached: (share) => {
      if (progress.name === name) progress.share = share;
    },
  };
}

/** Names the service or address that the command waits for. The output shows this name only until {@link step} runs. */
export function waitFor(service: string): void {
  begin().waiting = `Waiting for ${service}`;
}

export function endProgress(): void {
  clearTimeout(shown?.timer);
  shown = undefined;
}

function begin(): Shown {
  // The timer must not keep the process alive after the work of the command.
  shown ??= {
    begun: performance.now(), timer: setTimeout(show, firstMs).unref(), waiting: '', name: undefined, share: undefined,
  };
  return shown;
}

function show(): void {
  if (shown === undefined) return;
  const { begun, waiting, name = waiting, share } = shown;
  const seconds = Math.round((performance.now() - begun) / 1_000);
  process.stderr.write(`${visible(`${name} … ${seconds} s${share === undefined ? '' : `, ${share}`}`)}\n`);
  shown.timer = setTimeout(show, everyMs).unref();
}
