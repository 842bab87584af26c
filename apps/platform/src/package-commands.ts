import { Argument, type Command } from 'commander';
import { addAdmin } from './admin-program.ts';
import { completionsOf } from './completion/completions.ts';
import { askCommand, filesLine, type Shell, shellScripts } from './completion/shell-scripts.ts';
import { addPeople } from './people-program.ts';
import type { AddCommands } from './program.ts';
import type { Environment } from './settings.ts';
import { visible } from './visible.ts';

/** Commands that do not need the sources of the services. The package @platform/cli has only these commands. */
export const packageCommands: readonly AddCommands[] = [addPeople, addAdmin, addCompletion];

/** `platform completion bash|zsh|fish`, and the hidden command that the scripts call. */
function addCompletion(program: Command, environment: Environment): void {
  program.command('completion')
    .description('Prints a script with which a shell completes the commands and options of `platform`.')
    .addArgument(
      new Argument('<shell>', 'the shell; a comment in the script says how to load the script')
        .choices(Object.keys(shellScripts)),
    )
    .action((shell: Shell) => void process.stdout.write(shellScripts[shell]));
  program.command(askCommand, { hidden: true })
    .argument('[words...]')
    .helpOption(false)
    .action(async (words: readonly string[]) => {
      const { readKnown } = await import('./completion/known.ts');
      const { candidates, files } = completionsOf(program, words, await readKnown(environment));
      const lines = candidates.map(({ value, about }) => `${visible(value)}\t${visible(about)}`);
      process.stdout.write([...lines, ...(files ? [filesLine] : [])].map((line) => `${line}\n`).join(''));
    });
}
