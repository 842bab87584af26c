import { runMain } from '@platform/service';
import { readContractsLicensingConfig } from './config.ts';
import { start } from './start.ts';

await runMain('contracts-licensing', readContractsLicensingConfig, start);
