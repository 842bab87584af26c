import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * How long a connection to a part that does not answer may keep the process alive after its answer, in milliseconds.
 */
const lingerMs = 500;

// Enable it before loading anything large, so the second start need not compile it again.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/node-compile'));
const [{ run }, ...programs] = await Promise.all([
  import('./program.ts'),
  import('./completion-program.ts'),
  import('./deployment-program.ts'),
  import('./admin-program.ts'),
  import('./people-program.ts'),
]);
const [{ addCompletion }, { addDeployment }, { addAdmin }, { addPeople }] = programs;
process.exitCode = await run(process.argv.slice(2), process.env, [addDeployment, addAdmin, addPeople, addCompletion]);
setTimeout(() => process.exit(), lingerMs).unref();
