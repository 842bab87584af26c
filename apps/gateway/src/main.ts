import { enableCompileCache } from 'node:module';

enableCompileCache();
const { runService } = await import('@platform/service');
const { readConfig } = await import('./config.ts');
const { start } = await import('./start.ts');

let stopTimeoutMs: number | undefined;
await runService(
  'gateway',
  async () => {
    const config = readConfig(process.env);
    stopTimeoutMs = config.stopTimeout;
    return start(config);
  },
  {
    get stopTimeoutMs() {
      return stopTimeoutMs ?? 10_000;
    },
  },
);
