// `npm run audit`: whether the locked npm packages have known vulnerabilities, by the registry that npm uses. Exit code
// 0: none; 1: some, each with a line; 2: the registry could not be asked, or does not offer audits.
import { spawnSync } from 'node:child_process';

import { readAudit } from './audit-report.ts';
import { root } from './checks/run-command.ts';

const { stdout, stderr, error } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
  cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 120_000,
});
const { code, lines } = readAudit(error === undefined ? stdout : `npm audit: ${error.message}`, stderr);
for (const line of lines) console.log(line);
process.exitCode = code;
