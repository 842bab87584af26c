import { pause } from '@platform/service';
import type { HttpAnswer } from '@platform/testing';

/** Repeats a request that gets 503, which a busy machine sometimes answers. */
export async function tried(ask: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  let answer = await ask();
  for (let tries = 1; answer.status === 503 && tries < 10; tries += 1) {
    await pause(1_000);
    answer = await ask();
  }
  return answer;
}
