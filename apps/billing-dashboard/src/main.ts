import { runMain } from '@platform/service';
import { picks, start } from './start.ts';

await runMain('billing-dashboard', picks, start);
