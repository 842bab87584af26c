import { enableCompileCache } from 'node:module';

// Before everything else is loaded: the second start then finds it compiled.
enableCompileCache();

const { runService } = await import('@platform/service');
const { readConfig } = await import('./config.ts');
const { host, start } = await import('./start.ts');

await runService(host, () => start(readConfig({ environment: process.env })));
