import { readFile } from 'node:fs/promises';
import { CommandFault } from './command-fault.ts';

/**
 * Reads a file that the user named.
 * @param cure what to do when the file cannot be read
 * @param cureOfEmpty what to do when the file is blank. Without this parameter, a blank file is accepted
 * @throws CommandFault
 */
export async function readGiven(file: string, cure: string, cureOfEmpty?: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new CommandFault(`${file} cannot be read: ${error.message}`, cure);
  });
  if (cureOfEmpty !== undefined && text.trim() === '') throw new CommandFault(`${file} is empty`, cureOfEmpty);
  return text;
}
