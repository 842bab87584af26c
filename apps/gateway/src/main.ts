import { enableCompileCache } from 'node:module';
import { runMain } from '@platform/service';
import { readConfig } from './config.ts';
import { start } from './start.ts';

enableCompileCache();
await runMain('gateway', readConfig, start);
