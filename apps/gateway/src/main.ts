import { runMain } from '@platform/service';
import { readConfig } from './config.ts';
import { start } from './start.ts';

await runMain('gateway', readConfig, start);
