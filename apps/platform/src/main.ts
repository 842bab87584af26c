import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Enable the cache before large modules are loaded. A later start then need not compile them again.
enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/node-compile'));
const [{ run }, { packageCommands }, { addDeployment }] = await Promise.all([
  import('./program.ts'), import('./package-commands.ts'), import('./deployment-program.ts'),
]);
process.exitCode = await run(process.argv.slice(2), process.env, [addDeployment, ...packageCommands]);
// Open connections, for example to a part that hangs, keep the process alive for at most 500 ms.
setTimeout(() => process.exit(), 500).unref();
