// `npm test [-- <project>]`: every check of the sources, then every spec, with servers of its own. The last line is
// `N passed, N failed`. With the name of a project (rpc, orgs-teams, …) only that project's specs run, and with a
// pattern after it only those whose path matches it.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, relative } from 'node:path';

import { checks, jestResultFile } from './checks/checks.ts';
import { projectsWithServers, serversFound } from './checks/find-servers.ts';
import { failedFiles, flakyTests, jestTotals, mostFlaky, type Totals } from './checks/jest-totals.ts';
import { passOn, runNode } from './checks/run-command.ts';

/** Makes jest.preset.js leave out projects that need servers, and global-setup.js not report it again. */
const serversVariable = 'PLATFORM_TEST_SERVERS';
/** At most so many files are given a second chance; more is no accident. */
const mostSecondChances = 5;
const interrupts = ['SIGINT', 'SIGTERM'] as const;
const started = performance.now();
const jestArguments = process.argv.slice(2);
const project = jestArguments[0]?.startsWith('-') === false ? jestArguments.shift() : undefined;
const interruption = new AbortController();

for (const signal of interrupts) {
  process.on(signal, () => {
    interruption.abort();
    passOn(signal);
  });
}

const totals: Totals = project === undefined ? await runChecks() : { passed: 0, failed: 0 };
if (!interruption.signal.aborted) {
  add(totals, await runSpecs(await prepareServers()));
}
if (interruption.signal.aborted) {
  console.log('Interrupted: what did not run counts as failed.');
  totals.failed += 1;
}
console.log(`Total time ${seconds(started)}`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;

async function runChecks(): Promise<Totals> {
  const sum: Totals = { passed: 0, failed: 0 };
  for (const check of checks) {
    if (interruption.signal.aborted) {
      break;
    }
    const begun = performance.now();
    const { code, output } = await check.run();
    const passed = code === 0;
    add(sum, passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
    console.log(`${passed ? 'ok    ' : 'FAILED'} ${check.name} (${seconds(begun)})`);
    if (!passed) {
      console.log(output.trimEnd());
    }
  }
  return sum;
}

/** Finds the servers when specs of this run need them; answers whether those specs can run. */
async function prepareServers(): Promise<boolean> {
  const needing = projectsWithServers();
  if (project !== undefined && !needing.includes(project)) {
    return true;
  }
  const begun = performance.now();
  const servers = await serversFound(project, interruption.signal);
  if (servers.found) {
    console.log(`ok     servers found (${seconds(begun)})`);
    return true;
  }
  const leftOut = `left out: ${project ?? needing.join(', ')}`;
  if (servers.missing && project === undefined && process.env['CI'] !== 'true') {
    console.log(`note   ${leftOut}. ${servers.line}`);
  } else {
    console.log(`FAILED servers (${seconds(begun)}); ${leftOut}. ${servers.line}`);
    totals.failed += 1;
  }
  return false;
}

async function runSpecs(withServers: boolean): Promise<Totals> {
  const begun = performance.now();
  const first = await runJest(withServers, jestArguments);
  const { files, passed } = failedFiles(first.report);
  let sum = jestTotals(first.report, first.code);
  if (files.length > 0 && files.length <= mostSecondChances && !interruption.signal.aborted) {
    console.log(`note   run again, alone: ${files.map((file) => relative(process.cwd(), file)).join(', ')}`);
    const again = await runJest(withServers, ['--runInBand', '--runTestsByPath', ...files]);
    const second = jestTotals(again.report, again.code);
    sum = withFlaky(
      { ...second, passed: sum.passed - passed + second.passed },
      flakyTests(first.report, again.report),
    );
  }
  console.log(`${sum.failed === 0 ? 'ok    ' : 'FAILED'} specs (${seconds(begun)})`);
  for (const reason of sum.reasons) {
    console.log(`       ${reason}`);
  }
  return sum;
}

/** A few tests may fail on a busy machine and pass alone. More of them, and the run counts them as failed. */
function withFlaky(sum: ReturnType<typeof jestTotals>, flaky: readonly string[]): ReturnType<typeof jestTotals> {
  for (const test of flaky) console.log(`flaky  ${relative(process.cwd(), test)}`);
  console.log(`note   ${flaky.length} flaky`);
  if (flaky.length <= mostFlaky) return sum;
  return {
    passed: sum.passed - flaky.length,
    failed: sum.failed + flaky.length,
    reasons: [...sum.reasons, `${flaky.length} tests are flaky, at most ${mostFlaky} may be`],
  };
}

async function runJest(
  withServers: boolean,
  more: readonly string[],
): Promise<{ report: unknown; code: number | null }> {
  mkdirSync(dirname(jestResultFile), { recursive: true });
  rmSync(jestResultFile, { force: true });
  const { code } = await runNode(
    [
      // jest runs ES modules in contexts of their own, which Node still calls experimental.
      ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
      ...['node_modules/jest/bin/jest.js', '--json', `--outputFile=${jestResultFile}`],
      ...more,
      ...(project === undefined ? [] : ['--selectProjects', project]),
    ],
    'stream',
    { [serversVariable]: withServers ? 'found' : 'missing' },
  );
  return { report: readResult(), code };
}

function readResult(): unknown {
  try {
    return JSON.parse(readFileSync(jestResultFile, 'utf8'));
  } catch {
    // jest ended before it could write its totals; jestTotals counts that as a failure.
    return undefined;
  }
}

function add(sum: Totals, more: Totals): void {
  sum.passed += more.passed;
  sum.failed += more.failed;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
