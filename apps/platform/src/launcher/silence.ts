import { deadlineIn, pause, within } from '@platform/service/basics';

interface Patience {
  /** Pause between questions, and time limit of each answer, in milliseconds. */
  readonly everyMs: number;
  /** A part is silent after this number of questions in a row without an answer. */
  readonly questions: number;
}

/** Plans at least three questions within `silenceMs`. With fewer questions, a busy part could seem silent. */
export function patienceOf(silenceMs: number): Patience {
  const everyMs = Math.min(10_000, silenceMs / 3);
  return { everyMs, questions: Math.ceil(silenceMs / everyMs) };
}

/**
 * Asks a part repeatedly. Returns true after `questions` questions in a row without an answer. Returns false when
 * `signal` aborts.
 *
 * Counts questions, because time also passes while the machine sleeps. If a question took much longer than its time
 * limit, the count begins again. The launcher then got no CPU time, so the part may have got none either.
 * @param ask throws when the part gives no sign of life
 */
export async function silent(
  ask: (signal: AbortSignal) => Promise<void>, { everyMs, questions }: Patience, signal: AbortSignal,
): Promise<boolean> {
  for (let unanswered = 0; unanswered < questions;) {
    const begun = performance.now();
    // The time limit of an answer equals the pause, so the number of unanswered questions measures the silence.
    const deadline = deadlineIn(everyMs, signal);
    const answer = within(deadline, ask(deadline.signal), 'a sign of life').then(() => true, () => false);
    const [answered] = await Promise.all([answer, pause(everyMs, signal)]);
    // TypeScript does not know that `aborted` may change while waiting.
    if ((signal as { aborted: boolean }).aborted) return false;
    const late = performance.now() - begun > 4 * everyMs;
    unanswered = answered || late ? 0 : unanswered + 1;
  }
  return true;
}
