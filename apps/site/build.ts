// Builds the site into apps/site/dist.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';

rmSync(join(import.meta.dirname, 'dist'), { recursive: true, force: true });
await build(import.meta.dirname);
