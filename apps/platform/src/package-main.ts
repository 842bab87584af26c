// The program of the package @platform/cli. Its commands do not need the sources of the services. scripts/release
// bundles it.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { packageCommands } from './package-commands.ts';
import { run } from './program.ts';

// By default, the state folder of a clone is in the clone. The package has no clone, so it uses the home folder.
const environment = { PLATFORM_HOME: join(homedir(), '.platform'), ...process.env };
process.exitCode = await run(process.argv.slice(2), environment, packageCommands);
