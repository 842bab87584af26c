// `npm run lint [-- paths]`: oxlint checks the rules that need types, ESLint all other rules (ADR 0288).
import { runNode } from './checks/run-command.ts';

const paths = process.argv.slice(2);
const commands = [
  ['node_modules/oxlint/bin/oxlint', '--type-aware', '--quiet'],
  [
    'node_modules/eslint/bin/eslint.js',
    '--cache', '--cache-location', 'node_modules/.cache/eslint/', '--cache-strategy', 'content',
  ],
];
for (const command of commands) {
  const { code } = await runNode([...command, ...(paths.length === 0 ? ['.'] : paths)], { show: 'stream' });
  if (code !== 0) process.exitCode = 1;
}
