import { runMain } from '@platform/service';
import { picks, start } from './start.ts';

await runMain('metricsproxy', picks, start);
