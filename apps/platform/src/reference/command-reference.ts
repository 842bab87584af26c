import type { Argument, Command, Option } from 'commander';

export interface DescribedCommand {
  /** The full name, such as `platform admin cluster import`. */
  readonly name: string;
  readonly about: string;
  /** What follows the name, such as `[options] <id>`. */
  readonly usage: string;
  readonly arguments: readonly Described[];
  readonly options: readonly Described[];
}

export interface Described {
  /** The flags of an option, such as `--owner <name>`, or the name of an argument. */
  readonly term: string;
  readonly about: string;
  readonly required: boolean;
}

/** Returns each command that is not hidden and has no subcommands, in the order of the help. */
export function describeCommands(command: Command, above = ''): DescribedCommand[] {
  const name = `${above}${command.name()}`;
  const helper = command.createHelp();
  const below = helper.visibleCommands(command).filter((one) => one.name() !== 'help');
  if (below.length > 0) return below.flatMap((one) => describeCommands(one, `${name} `));
  return [{
    name,
    about: command.description(),
    usage: command.usage(),
    arguments: command.registeredArguments.map(argumentOf),
    options: helper.visibleOptions(command).filter(({ long }) => long !== '--help').map(optionOf),
  }];
}

function argumentOf(argument: Argument): Described {
  const term = argument.variadic ? `${argument.name()}...` : argument.name();
  const about = [argument.description, argument.argChoices?.join(', ')].filter(Boolean).join('; ');
  return { term, about, required: argument.required };
}

function optionOf(option: Option): Described {
  const { defaultValue: value } = option;
  const standard = value === undefined || value === false || value === '' ? '' : `default ${String(value)}`;
  const about = [option.description, option.argChoices?.join(', '), standard].filter(Boolean).join('; ');
  return { term: option.flags, about, required: option.mandatory };
}
