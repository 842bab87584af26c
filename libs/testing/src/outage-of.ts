import { setTimeout as pause } from 'node:timers/promises';

/**
 * Lets an outage last so many milliseconds from now, whatever is tried meanwhile: its length is the figure, so there is
 * no condition to wait for.
 */
export function outageOf(milliseconds: number): Promise<void> {
  return pause(milliseconds);
}
