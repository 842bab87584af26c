import { join } from 'node:path';

import { runNode, root, type CommandResult } from './run-command.ts';
import { sourceTextFindings } from './source-texts.ts';

/** A check of the sources that is no jest test; it counts as one test. */
export interface Check {
  name: string;
  run(): Promise<CommandResult>;
}

const buf = 'node_modules/@bufbuild/buf/bin/buf';

/** In the order in which their failures are most worth reading. */
export const checks: readonly Check[] = [
  { name: 'buf lint', run: () => runNode([buf, 'lint']) },
  { name: 'buf format', run: () => runNode([buf, 'format', 'proto', '--diff', '--exit-code']) },
  {
    // The baseline is the API as released: `npm run generate -- --baseline` renews it.
    name: 'buf breaking',
    run: () => runNode([buf, 'breaking', 'proto', '--against', 'proto/baseline.binpb']),
  },
  { name: 'typecheck', run: () => runNode(['node_modules/typescript7/bin/tsc', '-p', 'tsconfig.json']) },
  {
    name: 'eslint',
    run: () =>
      runNode([
        'node_modules/eslint/bin/eslint.js',
        ...['--cache', '--cache-location', 'node_modules/.cache/eslint/', '--cache-strategy', 'content', '.'],
      ]),
  },
  { name: 'OpenAPI rules', run: () => runNode(['scripts/checks/lint-openapi.ts']) },
  { name: 'source texts', run: async () => asResult(await sourceTextFindings(root)) },
];

function asResult(findings: readonly string[]): CommandResult {
  return { code: findings.length === 0 ? 0 : 1, output: findings.map((finding) => `${finding}\n`).join('') };
}

/** Where jest writes its totals; a folder git does not know. */
export const jestResultFile = join(root, 'node_modules/.cache/platform/jest-result.json');
