import { addAdmin } from './admin-program.ts';
import { addCompletion } from './completion-program.ts';
import { addPeople } from './people-program.ts';
import type { AddCommands } from './program.ts';

/** The commands that need no sources of the services: those of the package @platform/cli. A clone has more. */
export const packageCommands: readonly AddCommands[] = [addPeople, addAdmin, addCompletion];
