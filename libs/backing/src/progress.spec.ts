import { mock } from 'node:test';
import { afterEach, describe, expect, it } from '@jest/globals';

import { progress } from './progress.ts';

describe('the progress of a long step', () => {
  afterEach(() => void mock.timers.reset());

  it('is told every ten seconds, with the share that is done', () => {
    // given
    mock.timers.enable();
    const lines: string[] = [];
    using step = progress((line) => lines.push(line), 'Building it');

    // when
    step.start();
    mock.timers.tick(10_000);
    step.reached('312 of 780 packages');
    mock.timers.tick(10_000);
    step.done();
    mock.timers.tick(60_000);

    // then
    expect(lines.map((line) => /\d+ of \d+ packages|done|…/.exec(line)?.[0])).toEqual(['…', '…', '…', 'done']);
    expect(lines.map((line) => line.endsWith('312 of 780 packages'))).toEqual([false, false, true, false]);
  });
});
