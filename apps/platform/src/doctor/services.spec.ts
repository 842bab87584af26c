import { describe, expect, it } from '@jest/globals';
import type { ReportedPart } from '../commands/status.ts';
import { noAnswer } from '../part-readiness.ts';
import { checkParts } from './services.ts';

const part: ReportedPart = { name: 'clusters', state: 'running', restarts: 0, since: '', ready: false };

describe('checkParts', () => {
  it.each<[string, Partial<ReportedPart>, RegExp]>([
    ['is not ready', { reason: 'PostgreSQL: away' }, /^logs\/clusters\.log in the state folder says why\.$/],
    ['hangs', { reason: noAnswer }, /^It is started again .*supervise\.silence/],
    ['others run', { state: 'external', reason: noAnswer }, /where it is run/],
    ['lost its database', { name: 'openfga', reason: 'status 500' }, /start the platform again, then .*--repair/],
  ])('says where to look for a part that %s', (_what, changes, fix) => {
    expect(checkParts([{ ...part, ...changes }])).toEqual([
      expect.objectContaining({ ok: false, fix: expect.stringMatching(fix) }),
    ]);
  });

  it('is no success without parts', () => {
    expect(checkParts([])).toEqual([expect.objectContaining({ area: 'parts', ok: false })]);
  });
});
