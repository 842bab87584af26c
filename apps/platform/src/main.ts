import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * How long open connections, for example to a part that hangs, may keep the process alive after the command has ended,
 * in milliseconds.
 */
const lingerMs = 500;

// Enable the cache before any large module is loaded, so that the second start need not compile the modules again.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/node-compile'));
const [{ run }, { packageCommands }, { addDeployment }] = await Promise.all([
  import('./program.ts'), import('./package-commands.ts'), import('./deployment-program.ts'),
]);
process.exitCode = await run(process.argv.slice(2), process.env, [addDeployment, ...packageCommands]);
setTimeout(() => process.exit(), lingerMs).unref();
