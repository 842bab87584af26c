/** The numbers in the last line of `npm test`. */
export interface Totals {
  passed: number;
  failed: number;
}

/** The part of jest's `--json` report that is read here (see `--outputFile` in jest's documentation). */
interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numTotalTests: number;
  numPendingTests: number;
  numRuntimeErrorTestSuites: number;
  testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** The spec files of a run that failed, and the number of tests in these files that passed. */
export function failedFiles(report: unknown): { files: string[]; passed: number } {
  if (!isReport(report)) return { files: [], passed: 0 };
  const failed = report.testResults.filter(({ status }) => status === 'failed');
  const passed = failed.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'passed');
  return { files: failed.map(({ name }) => name), passed: passed.length };
}

/** The spec files with skipped tests, and how many tests were skipped. The usual reason is a missing program. */
export function skippedTests(report: unknown): { file: string; tests: number }[] {
  if (!isReport(report)) return [];
  return report.testResults
    .map(({ name, assertionResults }) => (
      { file: name, tests: assertionResults.filter(({ status }) => status === 'pending').length }))
    .filter(({ tests }) => tests > 0);
}

/** Maximum number of flaky tests in a run that passes. */
export const mostFlaky = 2;

/**
 * Returns the tests that failed in the first run and did not fail in the second run. Tests of one file with the same
 * error count as one. They usually have one cause, such as a failed `beforeAll`.
 * @param first report of the run with all files
 * @param alone report of the run with only the files that failed
 */
export function flakyTests(first: unknown, alone: unknown): string[] {
  const stillFailing = new Set(failedTests(alone).map(({ test }) => test));
  const flaky = failedTests(first).filter(({ test }) => !stillFailing.has(test));
  const oneOfEach = new Map(flaky.toReversed().map(({ test, failure }) => [failure, test]));
  return [...oneOfEach.values()].toReversed();
}

/** `file: name` of each failed test, with its error. A failed file without failed tests counts as one test. */
export function failedTests(report: unknown): { test: string; failure: string }[] {
  if (!isReport(report)) return [];
  return report.testResults.filter(({ status }) => status === 'failed').flatMap(({ name, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0) return [{ test: `${name}: did not start`, failure: name }];
    return failed.map(({ fullName, failureMessages = [fullName] }) =>
      ({ test: `${name}: ${fullName}`, failure: [name, ...failureMessages].join('\n') }));
  });
}

/**
 * Returns the totals of a jest run, with remarks. Each suite that did not start counts as a failed test. One test
 * counts as failed if there is no report, if no test ran, or if jest failed without a failed test.
 *
 * @param report the parsed report, or undefined when there is none.
 * @param exitCode jest's exit code, null when a signal ended it.
 */
export function jestTotals(report: unknown, exitCode: number | null): Totals & { reasons: string[] } {
  const reasons: string[] = [];
  if (!isReport(report)) {
    return { passed: 0, failed: 1, reasons: ['jest wrote no report'] };
  }
  let failed = report.numFailedTests;
  if (report.numRuntimeErrorTestSuites > 0) {
    failed += report.numRuntimeErrorTestSuites;
    reasons.push(`${report.numRuntimeErrorTestSuites} suites did not start`);
  }
  if (report.numPassedTests + failed === 0) {
    failed = 1;
    reasons.push('no test ran');
  }
  if (failed === 0 && exitCode !== 0) {
    failed = 1;
    reasons.push(`no test failed, but jest ended with ${exitCode ?? 'a signal'}`);
  }
  if (report.numPendingTests > 0) {
    reasons.push(`${report.numPendingTests} skipped`);
  }
  return { passed: report.numPassedTests, failed, reasons };
}

/** Merges the reports of several runs of jest; undefined if one of the runs wrote no report. */
export function joined(reports: readonly unknown[]): unknown {
  if (!reports.every(isReport)) return undefined;
  const sum = (count: (report: JestReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  const all: JestReport = {
    numPassedTests: sum((report) => report.numPassedTests),
    numFailedTests: sum((report) => report.numFailedTests),
    numTotalTests: sum((report) => report.numTotalTests),
    numPendingTests: sum((report) => report.numPendingTests),
    numRuntimeErrorTestSuites: sum((report) => report.numRuntimeErrorTestSuites),
    testResults: reports.flatMap((report) => report.testResults),
  };
  return all;
}

function isReport(value: unknown): value is JestReport {
  return typeof value === 'object' && value !== null && 'numTotalTests' in value;
}
