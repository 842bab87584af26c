import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheDirectory } from '@platform/backing';

const run = promisify(execFile);
const clients = join(import.meta.dirname, '../../../clients');

/**
 * The folder with the programs of the Python packages in a file of apps/e2e/clients, installed into the user's cache on
 * first use. @throws Error if Python 3.11 or later or its packages are unavailable
 */
export async function pythonTools(file = 'requirements.txt'): Promise<string> {
  const requirements = join(clients, file);
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = join(defaultCacheDirectory(process.env), 'generated-clients', wanted);
  const isComplete = join(folder, 'complete');
  if (!existsSync(isComplete)) {
    rmSync(folder, { recursive: true, force: true });
    await run('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']);
    await run('python3', ['-m', 'venv', folder]);
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--requirement', requirements];
    await run(join(folder, 'bin/python'), install, { timeout: 300_000 });
    writeFileSync(isComplete, '');
  }
  return join(folder, 'bin');
}
