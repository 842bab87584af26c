import { runMain } from '@platform/service';
import { readClustersConfig } from './config.ts';
import { start } from './start.ts';

await runMain('clusters', readClustersConfig, start);
