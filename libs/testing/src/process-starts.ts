import { appendFileSync } from 'node:fs';

/** Variable that names a file: the harness appends a line for each process of ours that it starts. */
export const startsVariable = 'PLATFORM_TEST_STARTS';

/** Notes that a process of ours is started, where the run counts them. */
export function noteStart(name: string): void {
  const file = process.env[startsVariable];
  if (file !== undefined && file !== '') appendFileSync(file, `${name}\n`);
}
