import type { Command, Option } from 'commander';

export interface Candidate {
  readonly value: string;
  readonly about: string;
}

interface Completion {
  readonly candidates: readonly Candidate[];
  /** Whether the shell should also offer paths. */
  readonly files: boolean;
}

/** What completion needs in addition to the definitions of the commands. */
export interface Known {
  /**
   * Returns the possible values of an option or argument; undefined if they are unknown.
   * @param command full name of the command, such as `context use`
   * @param name name of the option or argument, without leading dashes
   */
  values(command: string, name: string): readonly Candidate[] | undefined;
  /**
   * Returns the command that `argument` selects if it is the first argument of `command`. For example, an argument of
   * `platform api` selects an operation with its own options. Returns undefined if `argument` selects no command.
   */
  behind(command: string, argument: string): Command | undefined;
}

/** The meaning of the words of a command line that have been read so far. */
interface Position {
  command: Command;
  /** Names or aliases of the commands so far. */
  readonly path: string[];
  /** Number of arguments read so far. Options and their values do not count. */
  arguments: number;
  /** The option whose value is the next word. */
  waiting: Option | undefined;
  /** True after `--`: no further word is an option. */
  ended: boolean;
}

/**
 * Returns the completions of the last word of a command line.
 * @param words the words after the name of the program. The last word is at the cursor and may be empty
 */
export function completionsOf(program: Command, words: readonly string[], known: Known): Completion {
  const position: Position = { command: program, path: [], arguments: 0, waiting: undefined, ended: false };
  for (const word of words.slice(0, -1)) pass(position, word, known);
  const { candidates, files } = at(position, words.at(-1) ?? '', known);
  return { candidates: candidates.filter(({ value }) => value.startsWith(words.at(-1) ?? '')), files };
}

function pass(position: Position, word: string, known: Known): void {
  const { command, path } = position;
  if (position.waiting) position.waiting = undefined;
  else if (word === '--') position.ended = true;
  else if (word.startsWith('-') && !position.ended) {
    const option = optionOf(command, word);
    if (option && (option.required || option.optional) && !word.includes('=')) position.waiting = option;
  } else {
    const below = position.arguments === 0
      ? command.commands.find((one) => one.name() === word || one.aliases().includes(word)) : undefined;
    if (below) path.push(word);
    else position.arguments += 1;
    position.command = below ?? (position.arguments === 1 ? known.behind(path.join(' '), word) : undefined) ?? command;
  }
}

function at(position: Position, word: string, known: Known): Completion {
  const { command, path, waiting, ended } = position;
  const name = path.join(' ');
  if (waiting) return valuesOf(waiting, name, known);
  const [, flag, isValue] = /^(--[^=]+)(=)?/.exec(word) ?? [];
  const option = isValue === undefined || ended ? undefined : optionOf(command, flag!);
  if (option) {
    const { candidates, files } = valuesOf(option, name, known);
    return { candidates: candidates.map(({ value, about }) => ({ value: `${flag}=${value}`, about })), files };
  }
  if (word.startsWith('-') && !ended) return { candidates: flagsOf(command), files: false };
  const helper = command.createHelp();
  const commands = position.arguments > 0 ? [] : helper.visibleCommands(command)
    .filter((one) => one.name() !== 'help').map((one) => ({ value: one.name(), about: one.description() }));
  const argument = command.registeredArguments[position.arguments];
  if (!argument) return { candidates: commands, files: false };
  const values = argument.argChoices?.map(plain) ?? known.values(name, argument.name()) ?? [];
  return { candidates: [...commands, ...values], files: isPath(argument.name()) };
}

function flagsOf(command: Command): Candidate[] {
  return command.createHelp().visibleOptions(command)
    .flatMap(({ long, description }) => long ? [{ value: long, about: description }] : []);
}

function valuesOf(option: Option, command: string, known: Known): Completion {
  const candidates = option.argChoices?.map(plain) ?? known.values(command, option.long?.slice(2) ?? '') ?? [];
  return { candidates, files: isPath(/<(.+)>/.exec(option.flags)?.[1] ?? '') };
}

function optionOf(command: Command, word: string): Option | undefined {
  const [flag] = word.split('=', 1);
  return command.options.find(({ long, short }) => long === flag || short === flag);
}

function isPath(placeholder: string): boolean {
  return placeholder === 'path' || placeholder === 'file';
}

function plain(value: string): Candidate {
  return { value, about: '' };
}
