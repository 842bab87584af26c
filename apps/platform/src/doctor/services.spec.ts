import { describe, expect, it } from '@jest/globals';
import { platformVersion } from '@platform/service';
import { noAnswer, type ReportedPart } from '../part-readiness.ts';
import { checkParts, describeService } from './services.ts';

const part: ReportedPart = { name: 'clusters', state: 'running', restarts: 0, since: '', ready: false };

describe('checkParts', () => {
  it.each<[string, Partial<ReportedPart>, RegExp]>([
    ['is not ready', { reason: 'PostgreSQL: away' }, /^logs\/clusters\.log in the state folder says why\.$/],
    ['hangs', { reason: noAnswer }, /^The launcher restarts .*supervise\.silence/],
    ['others run', { state: 'external', reason: noAnswer }, /on its own machine/],
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

describe('describeService', () => {
  const running = { version: platformVersion, deploymentType: 'Hosted', runMode: 'dev' };

  it('names jobs that fail again and again', () => {
    const migrations = [{ name: '20261122100000-first.sql', appliedAt: '2026-11-22T10:00:00Z' }];
    const failingJobs = [{ task: 'send-mail', attempts: 7, lastError: 'no route to host' }];
    const well = describeService('clusters', { ...running, migrations, failingJobs: [], lostKeys: [], unavailable: [] });
    expect(well.map(({ area, ok }) => [area, ok])).toEqual([['versions', true], ['settings', true], ['migrations', true]]);
    expect(well[1]!.found).toBe('Hosted in run mode dev');
    const failing = { ...running, migrations, failingJobs, lostKeys: [], unavailable: [] };
    expect(describeService('clusters', failing).at(-1)).toMatchObject({
      area: 'jobs', name: 'clusters, send-mail', ok: false, found: 'failed 7 times: no route to host',
    });
  });

  it('names keys that are missing, and dependencies that cannot be reached', () => {
    const status = {
      ...running, migrations: [], failingJobs: [],
      lostKeys: [{ table: 'cluster', keyId: '0123456789abcdef', secrets: 2 }],
      unavailable: [{ name: 'NATS', reason: 'connection refused' }],
    };
    expect(describeService('clusters', status).filter(({ ok }) => !ok)).toEqual([
      expect.objectContaining({
        area: 'secrets', name: 'clusters, cluster', found: '2 secrets cannot be decrypted: their key 0123456789abcdef is missing',
      }),
      expect.objectContaining({ area: 'dependencies', name: 'clusters, NATS', found: 'connection refused' }),
    ]);
  });
});
