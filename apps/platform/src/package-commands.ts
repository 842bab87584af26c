import { addAdmin } from './admin-program.ts';
import { addCompletion } from './completion-program.ts';
import { addPeople } from './people-program.ts';
import type { AddCommands } from './program.ts';

/** The commands that do not need the sources of the services: the package @platform/cli has only these. */
export const packageCommands: readonly AddCommands[] = [addPeople, addAdmin, addCompletion];
