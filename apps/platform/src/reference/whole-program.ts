import type { Command } from 'commander';
import { addAdmin } from '../admin-program.ts';
import { addCompletion } from '../completion-program.ts';
import { addDeployment } from '../deployment-program.ts';
import { addPeople } from '../people-program.ts';
import { createProgram } from '../program.ts';

/** The commands of the package @platform/cli (package-main.ts). */
export function packageProgram(): Command {
  return createProgram({}, [addPeople, addAdmin, addCompletion]);
}

/** All commands of a clone, those of people first. */
export function wholeProgram(): Command {
  return createProgram({}, [addPeople, addDeployment, addAdmin, addCompletion]);
}
