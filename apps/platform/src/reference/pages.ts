import { type DescribedCommand, describeCommands, type Described } from './command-reference.ts';
import type { Command } from 'commander';

/** The exit codes of all commands (operator.md §3). */
const exitCodes = [['0', 'done'], ['1', 'refused or failed'], ['2', 'wrong usage']] as const;

export function markdownPage(program: Command): string {
  const commands = describeCommands(program);
  return [
    '# The command line',
    '',
    'Generated from the commands by `npm run generate -- --golden`; `platform COMMAND --help` shows the same.',
    'With `--json`, a command answers with one JSON line. The exit codes of all commands are: 0 done, 1 refused or',
    'failed, 2 wrong usage. `platform completion bash|zsh|fish` writes a script that completes command lines. The',
    'package `@platform/cli` has manual pages: `man platform`.',
    '',
    'A command that takes longer than three seconds shows on standard error, every five seconds, what it is doing and',
    'how far it is: `Creating users … 8 s, 400 of 1000`.',
    '',
    '| command | what it does |',
    '| --- | --- |',
    ...commands.map(({ name, about }) => `| [\`${name}\`](#${name.replaceAll(' ', '-')}) | ${cell(about)} |`),
    '',
    ...commands.flatMap(markdownOf),
  ].join('\n');
}

function markdownOf({ name, about, usage, arguments: given, options }: DescribedCommand): string[] {
  const rows = [...given.map((one) => ({ ...one, term: `<${one.term}>` })), ...options];
  const table = rows.map((one) => `| \`${one.term}\` | ${one.required ? 'required' : ''} | ${cell(one.about)} |`);
  return [
    `## ${name}`, '', about, '', '```sh', `${name} ${usage}`.trim(), '```', '',
    ...(rows.length === 0 ? [] : ['| option or argument | | |', '| --- | --- | --- |', ...table, '']),
  ];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/<(\w+)>/g, '`<$1>`');
}

/**
 * Returns manual pages by file name. Each command has one page. The page `platform.1` lists the commands.
 * @param date of the release
 */
export function manualPages(program: Command, date: Date): ReadonlyMap<string, string> {
  const commands = describeCommands(program);
  const day = date.toLocaleDateString('en-US', { month: 'long', day: 'numeric', year: 'numeric', timeZone: 'UTC' });
  const head = (name: string, about: string) => [
    `.Dd ${day}`, `.Dt ${fileName(name).toUpperCase()} 1`, '.Os', '.Sh NAME', `.Nm ${fileName(name)}`,
    `.Nd ${line(about.replace(/\.$/, ''))}`,
  ];
  const status = ['.Sh EXIT STATUS', '.Bl -tag -width 1n', ...exitCodes.flatMap(([code, about]) => [`.It ${code}`, about]), '.El'];
  const overview = [
    ...head('platform', program.description()),
    '.Sh SYNOPSIS', '.Nm', '.Ar command', '.Op Ar options',
    '.Sh DESCRIPTION', 'Each command has a manual page of its own.',
    '.Bl -tag -width Ds', ...commands.flatMap(({ name, about }) => [`.It Xr ${fileName(name)} 1`, line(about)]), '.El',
    ...status,
  ];
  const pages = commands.map((command) => [fileName(command.name), [
    ...head(command.name, command.about),
    '.Sh SYNOPSIS', `.Nm ${command.name}`, ...command.options.map(synopsisOf),
    ...command.arguments.map(({ term, required }) => `${required ? '' : '.Op '}.Ar ${term}`.replace('.Op .Ar', '.Op Ar')),
    '.Sh DESCRIPTION', line(command.about),
    ...listOf(command.arguments, (term) => `.Ar ${term}`),
    ...listOf(command.options, flagOf),
    ...status, '.Sh SEE ALSO', '.Xr platform 1',
  ]] as const);
  return new Map([['platform', overview] as const, ...pages].map(([name, lines]) => [`${name}.1`, `${lines.join('\n')}\n`]));
}

function listOf(described: readonly Described[], term: (name: string) => string): string[] {
  if (described.length === 0) return [];
  return ['.Bl -tag -width Ds', ...described.flatMap((one) => [`.It ${term(one.term).slice(1)}`, line(one.about)]), '.El'];
}

function synopsisOf({ term, required }: Described): string {
  return required ? flagOf(term) : `.Op ${flagOf(term).slice(1)}`;
}

/** Formats the flags of an option, such as `-o, --output <format>`, for mdoc. */
function flagOf(flags: string): string {
  const [, short, long, value] = /^(?:-(\w), )?-(-[\w-]+)(?: [<[](.+?)[>\]])?$/.exec(flags) ?? [];
  if (long === undefined) throw new Error(`${flags} are not the flags of an option`);
  return `.${short === undefined ? '' : `Fl ${short} , `}Fl ${long}${value === undefined ? '' : ` Ar ${value}`}`;
}

function fileName(command: string): string {
  return command.replaceAll(' ', '-');
}

/**
 * Formats a text for mdoc, with one line per sentence. Escapes each backslash, and a dot or apostrophe at the start of
 * a line. Returns a reference to the synopsis if the text is empty.
 */
function line(text: string): string {
  const lines = text.replaceAll('\\', '\\e').replaceAll(/\. (?=[A-Z])/g, '.\n');
  return lines.replaceAll(/^(?=[.'])/gm, '\\&') || 'See the synopsis.';
}
