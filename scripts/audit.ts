// `npm run audit`: looks for known vulnerabilities of the locked npm packages. It asks the npm registry. With `--osv
// FOLDER`, it reads advisories in OSV format from a folder instead.
// Exit code 0: no known vulnerabilities. 1: vulnerabilities, each on its own line. 2: the check failed.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

import { type AuditResult, readAudit } from './audit-report.ts';
import { root } from './checks/run-command.ts';
import { lockedPackages } from './locked-packages.ts';
import { readAdvisories } from './osv.ts';

const { code, lines } = audit();
for (const line of lines) console.log(line);
process.exitCode = code;

function audit(): AuditResult {
  try {
    const { values: { osv } } = parseArgs({ options: { osv: { type: 'string' } } });
    return osv === undefined ? askRegistry() : readAdvisories(osv, lockedPackages());
  } catch (error) {
    return { code: 2, lines: [`${(error as Error).message}. Usage: npm run audit [-- --osv FOLDER]`] };
  }
}

function askRegistry(): AuditResult {
  const { stdout, stderr, error } = spawnSync('npm', ['audit', '--json', '--package-lock-only'], {
    cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 120_000,
  });
  return readAudit(error === undefined ? stdout : `npm audit: ${error.message}`, stderr);
}
