import { InvalidArgumentError, Option, type Command } from 'commander';
import { settings } from '@platform/service/basics';
import { createOutput, type Output } from './output.ts';

export function withServer(command: Command): Command {
  return command
    .option(
      '--server <address>', 'gRPC address of orgs-teams (PLATFORM_SERVER); default the running platform', parseServer,
    )
    .option(
      '--token-file <path>',
      'file with the operator credential (PLATFORM_TOKEN_FILE); default the file in the state folder',
    )
    .addOption(json());
}

export function json(): Option {
  return new Option('--json', 'answer with one JSON line on standard output');
}

export function output({ json: asJson = false }: { readonly json?: boolean }): Output {
  return createOutput(asJson);
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,16}$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

function parseServer(text: string): string {
  if (settings.server.kind.parse(text) !== undefined) return text;
  throw new InvalidArgumentError('It must be an address host:port.');
}

export function parseId(text: string): number {
  const id = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new InvalidArgumentError('An id must be a whole number above 0.');
}

/** Reads numeric ids of a user and a group: `65532:65532`. */
export function parseOwner(text: string): { readonly user: number; readonly group: number } {
  const [, user, group] = /^([0-9]{1,10}):([0-9]{1,10})$/.exec(text) ?? [];
  if (user !== undefined && group !== undefined) return { user: Number(user), group: Number(group) };
  throw new InvalidArgumentError('It must be two numbers, such as 65532:65532.');
}

/** Returns a parser of texts that fit the pattern. @param otherwise the message for other texts */
function fitting<Value>(pattern: RegExp, read: (text: string) => Value, otherwise: string): (text: string) => Value {
  return (text) => {
    if (pattern.test(text)) return read(text);
    throw new InvalidArgumentError(otherwise);
  };
}

const listed = (text: string): string[] => text.split(',');
export const parseBoolean = fitting(/^(?:true|false)$/, (text) => text === 'true', 'It must be true or false.');
export const parseNames = fitting(/^[a-z-]+(?:,[a-z-]+)*$/, listed, 'Give names of parts, separated by commas.');
export const parseSeed = fitting(/^[A-Za-z0-9]{1,12}$/, (text) => text, 'It must be 1 to 12 letters or digits.');
/** Checks only the form of the names, because the server knows which scopes exist. */
export const parseScopes = fitting(
  /^[a-z:]+(?:,[a-z:]+)*$/, listed, 'Give scopes, separated by commas, such as read:contract,write:cluster.',
);

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Converts a time, a date, or a period before now to a time in RFC3339. */
export function parseSince(text: string): string {
  if (/^[1-9][0-9]{0,6}[smhd]$/.test(text)) return new Date(Date.now() - parseDuration(text) * 1_000).toISOString();
  const isTime = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const time = isTime ? Date.parse(text) : NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new InvalidArgumentError('Give a time such as 2026-11-21T08:00:00Z, a date, or a period such as 12h or 30d.');
}

/** Converts a duration such as `30d` to seconds. */
export function parseDuration(text: string): number {
  const [, count, unit] = /^([1-9][0-9]{0,6})(s|m|h|d)$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return Number(count) * unitSeconds[unit]!;
  throw new InvalidArgumentError('A duration must be a whole number from 1 to 9999999 with s, m, h or d, such as 30d.');
}
