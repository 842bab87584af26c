import { CommandFault } from '../command-fault.ts';

/**
 * @param list the command that lists what there is, such as `user list`
 * @throws CommandFault where nothing was found
 */
export function refuseMissing<Found>(found: Found | undefined, what: string, list: string): Found {
  if (found !== undefined) return found;
  throw new CommandFault(`there is no ${what}`, `See \`platform admin ${list}\`.`);
}
