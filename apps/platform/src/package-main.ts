// What the package @platform/cli starts: the commands that need no sources of the services. scripts/release bundles it.
import { addAdmin } from './admin-program.ts';
import { addPeople } from './people-program.ts';
import { run } from './program.ts';

process.exitCode = await run(process.argv.slice(2), process.env, [addPeople, addAdmin]);
