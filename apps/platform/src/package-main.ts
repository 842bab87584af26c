// The program of the package @platform/cli. Its commands do not need the sources of the services. scripts/release
// bundles it.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { packageCommands } from './package-commands.ts';
import { run } from './program.ts';

// The state of a clone is in the clone. The state of this program is in the home folder by default.
const environment = { PLATFORM_HOME: join(homedir(), '.platform'), ...process.env };
process.exitCode = await run(process.argv.slice(2), environment, packageCommands);
