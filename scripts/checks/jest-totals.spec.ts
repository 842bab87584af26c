import { describe, expect, it } from '@jest/globals';

import { flakyTests, jestTotals, skippedTests } from './jest-totals.ts';

const green = {
  numPassedTests: 7,
  numFailedTests: 0,
  numTotalTests: 7,
  numPendingTests: 0,
  numRuntimeErrorTestSuites: 0,
};

describe('totals of a jest run', () => {
  it.each([
    ['all tests pass', green, 0, { passed: 7, failed: 0 }],
    ['two tests fail', { ...green, numFailedTests: 2 }, 1, { passed: 7, failed: 2 }],
    ['a suite does not start', { ...green, numRuntimeErrorTestSuites: 1 }, 1, { passed: 7, failed: 1 }],
    ['no test ran', { ...green, numPassedTests: 0, numTotalTests: 0 }, 0, { passed: 0, failed: 1 }],
    ['every test was skipped', { ...green, numPassedTests: 0, numPendingTests: 7 }, 0, { passed: 0, failed: 1 }],
    ['jest fails after the last test', green, 1, { passed: 7, failed: 1 }],
    ['a signal ends jest', green, null, { passed: 7, failed: 1 }],
    ['there is no report', undefined, 1, { passed: 0, failed: 1 }],
  ])('when %s', (_case, report, exitCode, expected) => {
    expect(jestTotals(report, exitCode)).toMatchObject(expected);
  });
});

const file = (name: string, status: string, tests: readonly (readonly [string, string])[]) => ({
  name, status, assertionResults: tests.map(([fullName, result]) => ({ fullName, status: result })),
});
const report = (...testResults: object[]) => ({ ...green, testResults });

it('names the files whose tests were skipped, however the rest ended', () => {
  const run = report(
    file('a', 'passed', [['one', 'pending'], ['two', 'passed'], ['three', 'pending']]),
    file('b', 'failed', [['four', 'failed'], ['five', 'pending']]),
    file('c', 'passed', [['six', 'passed'], ['seven', 'todo']]),
    file('d', 'failed', []),
  );
  expect(skippedTests(run)).toEqual([{ file: 'a', tests: 2 }, { file: 'b', tests: 1 }]);
  expect(skippedTests(undefined)).toEqual([]);
});

describe('flaky tests', () => {
  it('are those that failed beside others and not alone', () => {
    const first = report(
      file('a', 'failed', [['one', 'failed'], ['two', 'failed'], ['three', 'passed']]),
      file('b', 'failed', []),
      file('c', 'passed', [['four', 'passed']]),
    );
    const alone = report(
      file('a', 'failed', [['one', 'passed'], ['two', 'failed'], ['three', 'passed']]),
      file('b', 'passed', [['five', 'passed']]),
    );
    expect(flakyTests(first, alone)).toEqual(['a: one', 'b: did not start']);
    expect(flakyTests(first, first)).toEqual([]);
  });

  it('count as one where they failed with the same words', () => {
    const failed = (name: string, ...tests: readonly (readonly [string, string])[]) => ({
      name,
      status: 'failed',
      assertionResults: tests.map(([fullName, failure]) => ({ fullName, status: 'failed', failureMessages: [failure] })),
    });
    const first = report(
      failed('a', ['one', 'hub not ready'], ['two', 'hub not ready'], ['three', 'expected 1']),
      failed('b', ['four', 'hub not ready']),
    );
    expect(flakyTests(first, report())).toEqual(['a: one', 'a: three', 'b: four']);
  });
});
