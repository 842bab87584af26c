import { runMain } from '@platform/service';
import { picks } from './config.ts';
import { start } from './start.ts';

await runMain('contracts-licensing', picks, start);
