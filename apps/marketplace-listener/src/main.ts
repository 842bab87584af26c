import { runMain } from '@platform/service';
import { picks, start } from './start.ts';

await runMain('marketplace-listener', picks, start);
