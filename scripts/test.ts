// `npm test [-- <project>]`: every check of the sources, then every spec, with servers of its own. The last line is
// `N passed, N failed`. With the name of a project (rpc, orgs-teams, …) only that project's specs run.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

import { checks, jestResultFile } from './checks/checks.ts';
import { passOn, runNode } from './checks/run-command.ts';
import { jestTotals, type Totals } from './checks/jest-totals.ts';
import { missingTools } from './checks/missing-tools.ts';

const interrupts = ['SIGINT', 'SIGTERM'] as const;
const started = performance.now();
const [project, ...jestArguments] = process.argv.slice(2);
let interrupted = false;

for (const signal of interrupts) {
  process.on(signal, () => {
    interrupted = true;
    passOn(signal);
  });
}

for (const line of missingTools()) {
  console.log(line);
}
const totals: Totals = project === undefined ? await runChecks() : { passed: 0, failed: 0 };
if (!interrupted) {
  add(totals, await runSpecs());
}
if (interrupted) {
  console.log('Interrupted: what did not run counts as failed.');
  totals.failed += 1;
}
console.log(`Total time ${seconds(started)}`);
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed === 0 ? 0 : 1;

async function runChecks(): Promise<Totals> {
  const sum: Totals = { passed: 0, failed: 0 };
  for (const check of checks) {
    if (interrupted) {
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

async function runSpecs(): Promise<Totals> {
  const begun = performance.now();
  mkdirSync(dirname(jestResultFile), { recursive: true });
  rmSync(jestResultFile, { force: true });
  const { code } = await runNode(
    [
      // jest runs ES modules in contexts of their own, which Node still calls experimental.
      ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
      ...['node_modules/jest/bin/jest.js', '--json', `--outputFile=${jestResultFile}`],
      ...(project === undefined ? [] : ['--selectProjects', project]),
      ...jestArguments,
    ],
    'stream',
    // The report goes to the file and, readable, to stderr; the JSON on stdout is nobody's.
    {},
  );
  const sum = jestTotals(readResult(), code);
  console.log(`${sum.failed === 0 ? 'ok    ' : 'FAILED'} specs (${seconds(begun)})`);
  for (const reason of sum.reasons) {
    console.log(`       ${reason}`);
  }
  return sum;
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
