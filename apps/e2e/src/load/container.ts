import type { PlatformOptions } from '../platform.ts';

/**
 * Every process has the heap that V8 gives itself in a container of 512 MiB, and the young generation of docs/scale.md.
 * On a large machine it lets several times as much garbage lie, which says nothing of what a process needs.
 */
export const inContainers: NonNullable<PlatformOptions['surroundings']> = () => ({
  environment: { NODE_OPTIONS: '--max-heap-size=259 --max-semi-space-size=8' },
});
