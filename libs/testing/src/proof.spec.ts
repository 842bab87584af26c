import { afterEach, describe, expect, it } from '@jest/globals';
import { type ProofOptions, seedOfRun, seedVariable, shareOf } from './proof.ts';

const ofThisRun = process.env[seedVariable];

afterEach(() => {
  if (ofThisRun === undefined) delete process.env[seedVariable];
  else process.env[seedVariable] = ofThisRun;
});

describe('the seed of a run', () => {
  it('is the day in UTC', () => {
    delete process.env[seedVariable];
    const days = ['2026-11-27T23:59:59.999Z', '2026-11-28T00:00:00.000Z', '2026-11-28T01:30:00+02:00'];
    expect(days.map((day) => seedOfRun(new Date(day)))).toEqual([20261127, 20261128, 20261127]);
  });

  it('is another one when that is named, and every share of a proof takes it', async () => {
    process.env[seedVariable] = '20200229';
    const asked: Pick<ProofOptions, 'seed' | 'share'>[] = [];
    const prove = async ({ seed, share }: ProofOptions) => {
      asked.push({ seed, share });
      return { figure: '1 case', holds: false, counterexamples: ['the first'] };
    };
    expect(await shareOf({ name: 'one', prove }, 0.02)).toEqual({ holds: false, counterexamples: ['the first'] });
    expect(asked).toEqual([{ seed: 20200229, share: 0.02 }]);
  });

  it('that fails says what was seen', async () => {
    const prove = async () => ({ figure: '600 MiB', holds: false });
    expect(await shareOf({ name: 'one', prove }, 0.02)).toEqual({ holds: false, counterexamples: ['600 MiB'] });
  });
});
