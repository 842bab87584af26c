import { runService } from '@platform/service';
import { readAuthzConfig } from './config.ts';
import { start } from './start.ts';

await runService('authz', async () => start(readAuthzConfig(process.env)));
