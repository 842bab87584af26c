import { describe, expect, it } from '@jest/globals';
import type { TimeKind, TimeSpan } from '@platform/testing';

import { busyBetween } from './busy.ts';
import { runReport } from './run-report.ts';

const span = (kind: TimeKind, from: number, to: number, pid = 1): TimeSpan => ({ kind, what: kind, pid, from, to });
const seconds = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.flatMap((line) => {
    const [, figure, what] = /^ +([\d.]+) +(.*)$/.exec(line) ?? [];
    return figure === undefined ? [] : [[what!, figure]];
  }));

describe('the report of a run', () => {
  const file = (name: string, startTime: number, endTime: number) => ({ name: `/r/${name}`, startTime, endTime });

  it('counts each moment of a worker once, for what it waits for first', () => {
    const report = { testResults: [file('a.spec.ts', 0, 10_000), file('b.spec.ts', 0, 6_000)] };
    const spans = [
      span('loading', 0, 1_000),
      span('process', 1_000, 4_000), span('process', 2_000, 5_000), span('process', 9_000, 9_500),
      span('waiting', 4_000, 7_000), span('waiting', 4_500, 5_500),
      span('process', 1_000, 2_000, 2), span('stopping', 3_000, 3_500, 2), span('server', 1_500, 2_500, 2),
    ];

    const lines = runReport(report, spans, 90_000, '/r');

    expect(seconds(lines)).toEqual({
      'a.spec.ts': '10.0', 'b.spec.ts': '6.0',
      'checks, beside the files': '90.0', 'files, of which': '16.0',
      'loading modules': '1.0', 'starts of servers': '1.0', 'starts of processes (4)': '5.0', 'services opened in the host': '0.0',
      'waiting': '2.0', 'stopping': '0.5', 'cases': '6.5',
    });
  });

  it('names the twenty slowest files, slowest first', () => {
    const testResults = Array.from({ length: 30 }, (_, index) => file(`${index}.spec.ts`, 0, (index + 1) * 1_000));
    const lines = runReport({ testResults }, [], 0, '/r');
    expect(lines.filter((line) => line.endsWith('.spec.ts')).map((line) => line.trim().split(/ +/)[1])).toEqual(
      Array.from({ length: 20 }, (_, index) => `${29 - index}.spec.ts`),
    );
  });

  it('can be made without a report', () => {
    expect(seconds(runReport(undefined, [], 1_000, '/r'))).toMatchObject({ 'files, of which': '0.0', 'cases': '0.0' });
  });

  it('says how busy the machine was', () => {
    const [before, after] = [{ cores: 2, busy: 500, idle: 9_000 }, { cores: 2, busy: 3_500, idle: 10_000 }];
    expect([busyBetween(before, after), busyBetween(after, after)]).toEqual(['75 % of 2 cores', '0 % of 2 cores']);
  });
});
