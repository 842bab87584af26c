import { enableCompileCache } from 'node:module';
import { runService } from '@platform/service';
import { readConfig } from './config.ts';
import { start } from './start.ts';

enableCompileCache();
const reading = Promise.try(readConfig, process.env);
// How long a stop may take is a setting too; what is wrong with the settings is said by the start that fails.
const stopTimeoutMs = await reading.then(
  (config) => config.stopTimeout,
  () => undefined,
);

await runService('gateway', async () => start(await reading), stopTimeoutMs === undefined ? {} : { stopTimeoutMs });
