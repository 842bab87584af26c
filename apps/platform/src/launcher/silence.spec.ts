import { describe, expect, it } from '@jest/globals';
import { patienceOf, silent } from './silence.ts';

const patience = { everyMs: 50, questions: 3 };
const never = new AbortController().signal;

describe('silent', () => {
  it('is who leaves all questions unanswered', async () => {
    const ask = (): Promise<void> => Promise.reject(new Error('nothing'));
    expect(await silent(ask, patience, never)).toBe(true);
  });

  it('is not who answers one question of three', async () => {
    expect(await silentAfter(12, async (asked) => {
      if (asked % 3 !== 0) throw new Error('nothing');
    })).toBe(false);
  });

  it('is no part while the process that asks is blocked itself', async () => {
    expect(await silentAfter(5, async () => {
      const until = performance.now() + 5 * patience.everyMs;
      while (performance.now() < until);
      throw new Error('nothing');
    })).toBe(false);
  });

  it('is who does not answer in time', async () => {
    expect(await silent(() => new Promise(() => undefined), patience, never)).toBe(true);
  });
});

describe('patienceOf', () => {
  it.each([[30_000, 10_000, 3], [300_000, 10_000, 30], [9_000, 3_000, 3]])(
    'makes questions of %d ms', (silenceMs, everyMs, questions) => {
      expect(patienceOf(silenceMs)).toEqual({ everyMs, questions });
    },
  );
});

/** Whether the part counts as silent within this number of questions. */
async function silentAfter(questions: number, answer: (asked: number) => Promise<void>): Promise<boolean> {
  const enough = new AbortController();
  let asked = 0;
  return silent(async () => {
    asked += 1;
    if (asked === questions) enough.abort();
    await answer(asked);
  }, patience, enough.signal);
}
