import { type Deadline, deadlineIn, pause, within } from '@platform/service/basics';

/** How long a part that runs may give no sign of life. */
export interface Patience {
  /** Milliseconds from one question to the next, and for each answer. */
  readonly everyMs: number;
  /** So many questions in a row must be left unanswered. */
  readonly questions: number;
}

/** Questions that make up the patience `silenceMs`; fewer than three would not tell a pause from silence. */
export function patienceOf(silenceMs: number): Patience {
  const everyMs = Math.min(5_000, silenceMs / 3);
  return { everyMs, questions: Math.ceil(silenceMs / everyMs) };
}

/**
 * Asks a part again and again. Answers true once it has been silent for the whole patience, false when `signal` aborts.
 *
 * Questions are counted, not time: a machine that slept, or a launcher that was itself stopped, wakes to one question
 * unanswered, and one that was asked much too late (the launcher had no turn, so others may have had none) is not held
 * against the part.
 * @param ask throws when the part gives no sign of life
 */
export async function silent(
  ask: (signal: AbortSignal) => Promise<void>,
  { everyMs, questions }: Patience,
  signal: AbortSignal,
): Promise<boolean> {
  for (let unanswered = 0; unanswered < questions;) {
    const begun = performance.now();
    // The time for an answer is the pause: so many questions are so much silence.
    const [answered] = await Promise.all([answers(ask, deadlineIn(everyMs, signal)), pause(everyMs, signal)]);
    // TypeScript does not see that waiting may have changed it.
    if ((signal as { aborted: boolean }).aborted) return false;
    const late = performance.now() - begun > 4 * everyMs;
    unanswered = answered || late ? 0 : unanswered + 1;
  }
  return true;
}

async function answers(ask: (signal: AbortSignal) => Promise<void>, deadline: Deadline): Promise<boolean> {
  try {
    await within(deadline, ask(deadline.signal), 'a sign of life');
    return true;
  } catch {
    return false;
  }
}
