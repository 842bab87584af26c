import { enableCompileCache } from 'node:module';

// Before everything else is loaded: the second start then finds it compiled.
enableCompileCache();

const { runMain } = await import('@platform/service');
const { readConfig } = await import('./config.ts');
const { start } = await import('./start.ts');

await runMain('orgs-teams', readConfig, start);
