import { Command, CommanderError } from 'commander';
import { platformVersion } from '@platform/service/basics';
import { askCommand } from './completion/shell-scripts.ts';
import { explain, UsageFault } from './command-fault.ts';
import { endProgress } from './progress.ts';
import type { Environment } from './settings.ts';
import { visible } from './visible.ts';

export type AddCommands = (program: Command, environment: Environment) => void;

/**
 * Runs the command that `argv` names. Writes an error to standard error.
 * @param commands functions that add the known commands
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage (operator.md §3)
 */
export async function run(
  argv: readonly string[], environment: Environment, commands: readonly AddCommands[],
): Promise<number> {
  // Readers such as `head` close the pipe early. The command does not fail then.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    await createProgram(environment, commands).parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed the error, the help or the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${visible(explain(error))}\n`);
    return error instanceof UsageFault ? 2 : 1;
  } finally {
    endProgress();
  }
}

export function createProgram(environment: Environment, commands: readonly AddCommands[]): Command {
  const program = new Command('platform')
    .description('The command line of the platform.')
    .version(platformVersion, '--version')
    .exitOverride()
    .showSuggestionAfterError()
    // `platform api` itself reads the flags after OPERATION. It uses `passThroughOptions`, which needs this setting.
    .enablePositionalOptions()
    .allowExcessArguments(false)
    .hook('preAction', (_program, command) => void (command.name() === askCommand || refuseEmpty(command)))
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')}\n`) });
  // Add the commands last: a new command copies the settings that the program has at that time.
  for (const add of commands) add(program, environment);
  return program;
}

/**
 * Refuses an empty option or argument. A script may pass an empty value if a variable is not set. Such a value must not
 * count as absent, because an absent value may mean all accounts.
 * @throws UsageFault
 */
function refuseEmpty(command: Command): void {
  const empty = command.options.find((option) => {
    const name = option.attributeName();
    return command.getOptionValue(name) === '' && command.getOptionValueSource(name) === 'cli';
  });
  if (empty) throw new UsageFault(`${empty.long} is empty`, 'Give it a value, or leave it out if it is not required.');
  if (command.args.includes('')) throw new UsageFault('An argument is empty', 'See --help for the arguments.');
}
