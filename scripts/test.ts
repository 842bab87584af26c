// `npm test [-- <project> [pattern]]`: runs the checks and the specs at the same time. The last line is `N passed, N
// failed`. With the name of a project (rpc, orgs-teams, …), it runs only the specs of this project. A pattern selects
// specs of the project by their path. `npm test -- --changed` runs the checks, and the specs that a change can affect.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { seedOfRun, seedVariable } from '@platform/testing';

import { busyBetween, coreTimes } from './checks/busy.ts';
import { runChecks } from './checks/checks.ts';
import {
  failedFiles, failedTests, flakyTests, jestTotals, mostFlaky, skippedTests, type Totals,
} from './checks/jest-totals.ts';
import { passOn, root } from './checks/run-command.ts';
import { readSpans, runReport } from './checks/run-report.ts';
import { changedProjects } from './specs/changed.ts';
import { projectsWithServers, serversFor, type ServersFound } from './specs/find-servers.ts';
import { runFolder, runJest, timesFile, type JestRun } from './specs/run-jest.ts';
import { runSpecs } from './specs/run-specs.ts';

/** If more spec files fail than this number, none of them runs a second time. */
const mostSecondChances = 5;
/** Maximum number of failed tests that are listed at the end. */
const mostNamed = 20;
const started = performance.now();
const startedAt = new Date().toISOString();
const startedWith = coreTimes();
const jestArguments = process.argv.slice(2);
const interruption = new AbortController();
const totals: Totals = { passed: 0, failed: 0 };
/** Printed at the end, shortly before the totals. */
const lastLines: string[] = [];

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    interruption.abort();
    passOn(signal);
  });
}
// Fix the seed for the whole run, because the default seed changes at midnight UTC.
const seed = seedOfRun();
process.env[seedVariable] = String(seed);
mkdirSync(runFolder, { recursive: true });
rmSync(timesFile, { force: true });

const projects = await chosenProjects();
const whole = projects === undefined || jestArguments.includes('--changed');
const checked = whole ? check() : Promise.resolve(0);
const specs = projects?.length === 0 ? undefined : await specsOf(projects);
const checksMs = await checked;
if (specs !== undefined && whole) {
  console.log(runReport(specs.report, readSpans(timesFile), checksMs, root).join('\n'));
}
if (interruption.signal.aborted) {
  lastLines.push('Interrupted: the part that did not run counts as one failure.');
  totals.failed += 1;
}
for (const line of lastLines) console.log(line);
console.log(`Seed of the proofs: ${seed}. To repeat them: ${seedVariable}=${seed} npm test`);
console.log(`Total time ${seconds(started)}; CPU usage of the machine: ${busyBetween(startedWith, coreTimes())}`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;

/** Returns the projects whose specs run; undefined: all projects. */
async function chosenProjects(): Promise<string[] | undefined> {
  if (jestArguments[0] === '--changed') {
    const names = await changedProjects();
    console.log(`note   affected projects: ${names.join(', ') || 'none'}`);
    return names;
  }
  return jestArguments[0]?.startsWith('-') === false ? [jestArguments[0]] : undefined;
}

/** Runs the checks and returns how long they took. */
async function check(): Promise<number> {
  const begun = performance.now();
  for (const { name, passed, cached, seconds: took, output } of await runChecks()) {
    add(passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${name} (${cached ? 'unchanged' : `${took.toFixed(1)} s`})`);
    if (passed) continue;
    console.log(output.trimEnd());
    lastLines.push(`FAILED ${name}; its findings are printed above`);
  }
  return performance.now() - begun;
}

async function specsOf(names: string[] | undefined): Promise<JestRun> {
  const begun = performance.now();
  const more = names === undefined ? jestArguments : [...jestArguments.slice(1), '--selectProjects', ...names];
  const first = await runSpecs(serversFor(names, interruption.signal), more, leaveOut, interruption.signal);
  let sum = jestTotals(first.report, first.code);
  let failed = failedTests(first.report);
  const { files, passed } = failedFiles(first.report);
  if (files.length > 0 && files.length <= mostSecondChances && !interruption.signal.aborted) {
    console.log(`note   running the failed files again: ${files.map((file) => relative(root, file)).join(', ')}`);
    // Without --forceExit, handles that a failed test left open could keep jest running.
    const again = await runJest('all', ['--runInBand', '--forceExit', '--runTestsByPath', ...files]);
    const second = jestTotals(again.report, again.code);
    failed = failedTests(again.report);
    sum = withFlaky({ ...second, passed: sum.passed - passed + second.passed }, flakyTests(first.report, again.report));
  } else {
    writeFlaky([]);
  }
  console.log(`${sum.failed === 0 ? 'ok    ' : 'FAILED'} specs (${seconds(begun)})`);
  for (const reason of sum.reasons) console.log(`       ${reason}`);
  lastLines.push(...skippedTests(first.report).map(({ file, tests }) =>
    `note   skipped: ${relative(root, file)} (${tests}); the reason is printed above`));
  lastLines.push(...failed.slice(0, mostNamed).map(({ test }) => `FAILED ${relative(root, test)}`));
  if (failed.length > mostNamed) lastLines.push(`FAILED ${failed.length - mostNamed} more tests; jest names them above`);
  add(sum);
  return first;
}

/** Reports the specs that cannot run here. */
function leaveOut({ missing, line }: Exclude<ServersFound, { found: true }>): void {
  const leftOut = `left out: ${(projects ?? projectsWithServers()).join(', ')}`;
  if (missing && whole && process.env['CI'] !== 'true') {
    lastLines.push(`note   ${leftOut}. ${line}`);
  } else {
    lastLines.push(`FAILED servers; ${leftOut}. ${line}`);
    totals.failed += 1;
  }
}

/** Counts the flaky tests as failed if there are more than `mostFlaky`. A few can occur on a busy machine. */
function withFlaky(sum: ReturnType<typeof jestTotals>, flaky: readonly string[]): ReturnType<typeof jestTotals> {
  const shown = flaky.map((test) => relative(root, test));
  lastLines.push(...shown.map((test) => `flaky  ${test}`));
  writeFlaky(shown);
  if (flaky.length <= mostFlaky) return sum;
  return {
    passed: sum.passed - flaky.length,
    failed: sum.failed + flaky.length,
    reasons: [...sum.reasons, `${flaky.length} tests are flaky, more than the permitted ${mostFlaky}`],
  };
}

/** Writes `flaky.json`: the number of flaky tests of this run in each file. */
function writeFlaky(tests: readonly string[]): void {
  const files: Record<string, number> = {};
  for (const test of tests) {
    const file = test.split(': ')[0]!;
    files[file] = (files[file] ?? 0) + 1;
  }
  writeFileSync(join(runFolder, 'flaky.json'), `${JSON.stringify({ startedAt, seed, files }, undefined, 2)}\n`);
}

function add(more: Totals): void {
  totals.passed += more.passed;
  totals.failed += more.failed;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
