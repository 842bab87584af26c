import type { PlatformOptions } from '../platform.ts';

/**
 * Every process has the heap that V8 chooses in a container of 512 MiB, and the young generation of docs/scale.md. On a
 * large machine V8 collects garbage much later, which tells nothing about the memory that a process needs.
 */
export const inContainers: NonNullable<PlatformOptions['surroundings']> = () => ({
  environment: { NODE_OPTIONS: '--max-heap-size=259 --max-semi-space-size=8' },
});
