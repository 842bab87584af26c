import { runMain } from '@platform/service';
import { picks, start } from './start.ts';

await runMain('cluster-agent', picks, start);
