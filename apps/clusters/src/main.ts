import { createLogger, runService } from '@platform/service';
import { readClustersConfig } from './config.ts';
import { start } from './start.ts';

const log = createLogger({ service: 'clusters' });
const reading = Promise.try(readClustersConfig, process.env, log);
// How long a stop may take is a setting too; what is wrong with the settings is said by the start that fails.
const stopTimeoutMs = await reading.then((config) => config.stopTimeoutMs, () => undefined);

await runService('clusters', async () => start(await reading), {
  log,
  ...(stopTimeoutMs === undefined ? {} : { stopTimeoutMs }),
});
