import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { TimeKind, TimeSpan } from '@platform/testing';

/** The part of jest's `--json` report with the times of each file; milliseconds since 1970. */
interface TimedReport {
  readonly testResults: readonly { readonly name: string; readonly startTime: number; readonly endTime: number }[];
}

/** If spans of different kinds overlap, the overlap counts for the kind that comes first in this list. */
const kinds: readonly TimeKind[] = ['server', 'process', 'opening', 'stopping', 'waiting', 'loading'];
const titles: Record<TimeKind, string> = {
  loading: 'loading modules',
  server: 'starts of servers',
  process: 'starts of processes',
  opening: 'services opened in the host',
  waiting: 'waiting',
  stopping: 'stopping',
};
const mostFiles = 20;

/**
 * Returns the lines of the time report of `npm test`. They show the slowest files, and how the workers spent their
 * time.
 *
 * @param report jest's report, as parsed.
 * @param spans recorded by the harness (`timed` of libs/testing).
 * @param checksMs duration of the checks, which run at the same time as the specs.
 * @param root paths are shown relative to this folder.
 */
export function runReport(report: unknown, spans: readonly TimeSpan[], checksMs: number, root: string): string[] {
  const files = isTimed(report) ? report.testResults.map(({ name, startTime, endTime }) =>
    ({ name: relative(root, name), ms: Math.max(0, endTime - startTime) })) : [];
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, mostFiles);
  const all = files.reduce((sum, { ms }) => sum + ms, 0);
  const spent = secondsByKind(spans);
  const rest = Object.values(spent).reduce((left, ms) => left - ms, all);
  const processes = spans.filter(({ kind }) => kind === 'process').length;
  return [
    `The ${slowest.length} slowest of ${files.length} files, in seconds`,
    ...slowest.map(({ name, ms }) => row(ms, name)),
    'Seconds by phase; times of files are the sum over all workers',
    row(checksMs, 'checks, beside the files'),
    row(all, 'files, of which'),
    ...kinds.map((kind) => row(spent[kind], `  ${titles[kind]}${kind === 'process' ? ` (${processes})` : ''}`)),
    row(Math.max(0, rest), '  cases'),
  ];
}

/** Milliseconds by kind. Overlapping spans of one process, such as concurrent starts, count once. */
function secondsByKind(spans: readonly TimeSpan[]): Record<TimeKind, number> {
  const spent: Record<TimeKind, number> = { loading: 0, server: 0, process: 0, opening: 0, waiting: 0, stopping: 0 };
  for (const ofOne of Object.values(Object.groupBy(spans, ({ pid }) => pid))) {
    let counted: TimeSpan[] = [];
    let before = 0;
    for (const kind of kinds) {
      counted = [...counted, ...ofOne!.filter((span) => span.kind === kind)];
      const covered = coveredMs(counted);
      spent[kind] += covered - before;
      before = covered;
    }
  }
  return spent;
}

function coveredMs(spans: readonly TimeSpan[]): number {
  let covered = 0;
  let end = -Infinity;
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    covered += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return covered;
}

/** Reads the spans that the harness recorded. Skips invalid lines, such as a line of a killed process. */
export function readSpans(file: string): TimeSpan[] {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    // No spec has recorded a time.
  }
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as TimeSpan];
    } catch {
      return [];
    }
  });
}

function row(ms: number, what: string): string {
  return `${(ms / 1000).toFixed(1).padStart(9)}  ${what}`;
}

function isTimed(report: unknown): report is TimedReport {
  return typeof report === 'object' && report !== null && 'testResults' in report;
}
