import { createLogger, runService } from '@platform/service';
import { readContractsLicensingConfig } from './config.ts';
import { start } from './start.ts';

const log = createLogger({ service: 'contracts-licensing' });
const reading = Promise.try(readContractsLicensingConfig, process.env, log);
// How long a stop may take is a setting too; what is wrong with the settings is said by the start that fails.
const stopTimeoutMs = await reading.then((config) => config.stopTimeoutMs, () => undefined);

await runService('contracts-licensing', async () => start(await reading), {
  log,
  ...(stopTimeoutMs === undefined ? {} : { stopTimeoutMs }),
});
