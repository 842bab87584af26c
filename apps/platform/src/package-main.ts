// What the package @platform/cli starts: the commands that need no sources of the services. scripts/release bundles it.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { addAdmin } from './admin-program.ts';
import { addCompletion } from './completion-program.ts';
import { addPeople } from './people-program.ts';
import { run } from './program.ts';

// The state of a clone lies in the clone.
const environment = { PLATFORM_HOME: join(homedir(), '.platform'), ...process.env };
process.exitCode = await run(process.argv.slice(2), environment, [addPeople, addAdmin, addCompletion]);
