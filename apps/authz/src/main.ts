import { runMain } from '@platform/service';
import { readAuthzConfig } from './config.ts';
import { start } from './start.ts';

await runMain('authz', readAuthzConfig, start);
