import { text } from 'node:stream/consumers';
import { CommanderError } from 'commander';
import { ApiRefusal, createClient, pageSizeOf, routes } from '@platform/client';
import { CommandFault, UsageFault } from '../command-fault.ts';
import { contextInUse } from '../contexts-file.ts';
import { readGiven } from '../given-file.ts';
import type { Environment } from '../settings.ts';
import { columns } from '../output.ts';
import { parseJson } from '../private-file.ts';
import { type Step, step } from '../progress.ts';
import { visible } from '../visible.ts';
import { commandOf, isOperation, parametersOf, type Route } from './api-command.ts';
import { type Format, textOf } from './api-output.ts';

/** Time limit of a request, in milliseconds. A long list or a document may need this time. */
const longestMs = 600_000;

/**
 * `platform api OPERATION`: calls an operation of the OpenAPI document and prints the answer. Path and query parameters
 * are flags. `--body` gives the body as JSON. `--set name=value` gives one field of the body. Without OPERATION, lists
 * all operations.
 * @throws UsageFault, CommandFault; CommanderError for wrong flags
 */
export async function callOperation(
  operation: string | undefined, flags: readonly string[], environment: Environment,
): Promise<void> {
  if (operation === undefined || operation === '--help' || operation === '-h') return listOperations();
  if (!isOperation(operation)) {
    throw new UsageFault(`There is no operation ${operation}`, 'See `platform api` for all operations.');
  }
  const route: Route = routes[operation];
  const command = commandOf(operation);
  await command.parseAsync([...flags], { from: 'user' });
  const given = command.opts<Given>();
  const parameters = parametersOf(route, command);
  const body = await bodyOf(route, given);
  const { baseUrl, token } = await contextInUse(environment, given.context);
  const client = createClient({ baseUrl, token, timeout: longestMs, fetch: fetchAs(given.output) });
  const call = { parameters, ...(body === undefined ? {} : { body }) } as never;
  const size = given.output === 'csv' ? undefined : pageSizeOf(operation);
  const isWhole = size !== undefined && parameters['page'] === undefined && parameters[size] === undefined;
  const calling = step(`Calling ${operation}`);
  const answering = isWhole ? collect(client.walk(operation as never, call), calling) : client.call(operation, call);
  const answer: unknown = await answering.catch((error: unknown) => {
    throw refused(error, baseUrl);
  });
  await write(answer, given.output);
}

interface Given {
  readonly output: Format;
  readonly context?: string;
  readonly body?: string;
  readonly set?: readonly string[];
}

function listOperations(): void {
  const rows = Object.entries(routes).map(([name, { verb, path }]) => [name, verb, path]);
  process.stdout.write(`${columns(rows.sort(([a], [b]) => (a! < b! ? -1 : 1))).join('\n')}\n`);
}

async function bodyOf({ verb }: Route, { body, set }: Given): Promise<unknown> {
  if (body !== undefined && set !== undefined) {
    throw new UsageFault('--body and --set cannot be combined', 'Use one of them.');
  }
  if (set !== undefined) return Object.fromEntries(set.map(memberOf));
  if (body === undefined) return verb === 'GET' || verb === 'DELETE' ? undefined : {};
  const source = body === '-' ? await text(process.stdin)
    : body.startsWith('@') ? await readGiven(body.slice(1), 'Name another file with --body=@FILE.') : body;
  const value = parseJson(source);
  if (value === undefined) throw new UsageFault('The body is not JSON', 'Give JSON, @FILE, or - for standard input.');
  return value;
}

function memberOf(given: string): [string, unknown] {
  const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(given) ?? [];
  if (name === undefined) throw new UsageFault(`${given} does not give a name and a value`, 'Give NAME=VALUE.');
  const parsed = parseJson(value);
  return [name, parsed === undefined ? value : parsed];
}

/** Returns the `fetch` function for a format. For `csv`, the function asks the server for CSV. */
function fetchAs(format: Format): typeof fetch {
  if (format !== 'csv') return fetch;
  return (input, init) => fetch(input, { ...init, headers: { ...(init?.headers as object), accept: 'text/csv' } });
}

/** Collects the items, and shows their number as progress. */
async function collect<Item>(items: AsyncIterable<Item>, calling: Step): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) {
    all.push(item);
    calling.reached(`${all.length} so far`);
  }
  return all;
}

function refused(error: unknown, baseUrl: string): Error {
  if (error instanceof CommanderError || error instanceof TypeError && !(error.cause instanceof Error)) {
    return new UsageFault((error as Error).message, 'Check the parameters.');
  }
  if (!(error instanceof ApiRefusal)) {
    const cure = 'Check the address with `platform context list`.';
    return new CommandFault(`${baseUrl} does not answer as a platform`, cure, { cause: error });
  }
  const violations = error.violations.map(({ path, message }) => `${path} ${message}`).join('; ');
  const cures: Readonly<Record<string, string>> = {
    unauthenticated: 'Sign in again with `platform login`.',
    missing_scope: 'Sign in with a token that has this scope.',
  };
  const id = error.requestId === '' ? '' : ` (request ${error.requestId})`;
  return new CommandFault(`Refused, ${error.code}: ${violations || error.message}${id}`, cures[error.code] ?? '');
}

async function write(answer: unknown, format: Format): Promise<void> {
  if (answer === undefined) return;
  if (answer instanceof Blob) {
    if (process.stdout.isTTY) process.stdout.write((await answer.text()).split(/\r?\n/).map(visible).join('\n'));
    else for await (const part of answer.stream()) process.stdout.write(part);
    return;
  }
  process.stdout.write(`${(await textOf(answer, format)).map(visible).join('\n')}\n`);
}
