import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * How long a connection to a part that does not answer may keep the process alive after its answer, in milliseconds.
 */
const lingerMs = 500;

// Enable it before loading anything large, so the second start need not compile it again.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/node-compile'));
const [{ run }, { packageCommands }, { addDeployment }] = await Promise.all([
  import('./program.ts'), import('./package-commands.ts'), import('./deployment-program.ts'),
]);
process.exitCode = await run(process.argv.slice(2), process.env, [addDeployment, ...packageCommands]);
setTimeout(() => process.exit(), lingerMs).unref();
