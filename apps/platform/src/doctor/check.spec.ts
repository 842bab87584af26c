import { describe, expect, it } from '@jest/globals';
import { examine, passed } from './check.ts';

const examination = { area: 'model', name: 'authz', patienceMs: 50, fix: 'Check `platform status`.' };

describe('examine', () => {
  it('answers what the check found', async () => {
    const found = [passed('model', 'authz', 'one'), passed('model', 'authz', 'two')];
    expect(await examine({ ...examination, check: async () => found })).toEqual(found);
  });

  it('takes the end of its patience, and an error, as a failed check', async () => {
    const failure = { area: 'model', name: 'authz', ok: false, fix: examination.fix };
    expect(await examine({ ...examination, check: () => new Promise(() => undefined) }))
      .toEqual([{ ...failure, found: 'no answer within 0.05 s' }]);
    expect(await examine({ ...examination, check: () => Promise.reject(new Error('it is away')) }))
      .toEqual([{ ...failure, found: expect.stringContaining('it is away') }]);
  });
});
