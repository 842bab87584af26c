import { Command, Option } from 'commander';
import { type Operations, routes } from '@platform/client';
import { formats } from './api-output.ts';

type Operation = keyof Operations;

export interface Route {
  readonly verb: string;
  readonly path: string;
  readonly query: readonly string[];
}

/** Names of the command's own flags. The flag of a parameter with one of these names is `--param-{name}`. */
const ownFlags = ['output', 'context', 'body', 'set', 'help'];

export function isOperation(name: string): name is Operation {
  return Object.hasOwn(routes, name);
}

/** Returns the command `platform api {name}`. Each parameter of the operation's path and query is a flag. */
export function commandOf(name: Operation): Command {
  const route: Route = routes[name];
  const command = new Command(`platform api ${name}`)
    .description(`${route.verb} ${route.path}`)
    .exitOverride()
    .configureOutput({ outputError: (said, out) => out(`${said.trim().replaceAll(/\s*\n\s*/g, ' ')}\n`) });
  const addFlag = (parameter: string, required: boolean, many: boolean) => {
    const flag = `--${ownFlags.includes(parameter) ? 'param-' : ''}${parameter} <value>`;
    const place = many ? 'parameter of the query; may be repeated' : 'parameter of the path';
    const option = new Option(flag, place).makeOptionMandatory(required);
    command.addOption(many ? option.argParser(append) : option);
  };
  for (const parameter of namesInPath(route)) addFlag(parameter, true, false);
  for (const parameter of route.query) addFlag(parameter, false, true);
  if (route.verb !== 'GET') {
    command
      .option('--body <json>', 'the body: JSON, @FILE, or - for standard input')
      .option('--set <member=value>', 'a field of the body, its value as JSON or text; may be repeated', append);
  }
  return command
    .addOption(new Option('-o, --output <format>', 'format of the answer').choices(formats).default('table'))
    .option('--context <name>', 'the platform and token to use (PLATFORM_CONTEXT)');
}

/** Returns the parameters in a command line, by their names in the API. */
export function parametersOf(route: Route, command: Command): Record<string, unknown> {
  const given = new Map(command.options.map((option) => [option.long!.replace(/^--(?:param-)?/, ''), option]));
  const values = [...namesInPath(route), ...route.query].flatMap((name) => {
    const value: unknown = command.getOptionValue(given.get(name)!.attributeName());
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

function namesInPath({ path }: Route): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

function append(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}
