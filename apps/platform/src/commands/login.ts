import { execFile } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ApiRefusal, createClient } from '@platform/client';
import { isLoopbackHost } from '@platform/service/basics';
import { CommandFault, UsageFault } from '../command-fault.ts';
import { readContexts, writeContexts } from '../contexts-file.ts';
import type { Environment } from '../settings.ts';
import type { Output } from '../output.ts';
import { waitFor } from '../progress.ts';

/**
 * `platform login ADDRESS`: reads a token from standard input, checks the token and stores it for later use. On a
 * terminal, first opens the console in a browser, unless `--no-browser` is given, and asks for the token. With
 * `--json`, prints `{"context", "baseUrl", "login"}`.
 * @throws UsageFault, CommandFault
 */
export async function login(
  address: string, options: { readonly context?: string; readonly browser: boolean },
  environment: Environment, output: Output,
): Promise<void> {
  const baseUrl = baseUrlOf(address);
  const name = options.context ?? new URL(baseUrl).host;
  if (process.stdin.isTTY) {
    const page = `${baseUrl}/`;
    const verb = options.browser && await openBrowser(page, environment) ? 'Your browser shows' : 'Open';
    process.stderr.write(`${verb} ${page}. Create an access token for your account there and paste it here: `);
  }
  const token = await firstLine();
  if (!/^[\x21-\x7e]{8,512}$/.test(token)) {
    throw new CommandFault('Standard input has no access token', 'Give the token in one line.');
  }
  waitFor(baseUrl);
  const user = await createClient({ baseUrl, token }).call('getUser').catch((error: unknown) => {
    throw refusedLogin(error, baseUrl);
  });
  // A server that is not a platform may return any content.
  const login: unknown = (user as { login?: unknown } | undefined | null)?.login;
  if (typeof login !== 'string' || login === '') throw refusedLogin(undefined, baseUrl);
  const { contexts } = await readContexts(environment);
  await writeContexts(environment, { current: name, contexts: { ...contexts, [name]: { baseUrl, token } } });
  output.answer({ context: name, baseUrl, login }, () => [`You are ${login} at ${baseUrl}.`]);
}

/**
 * Returns the address without slashes at its end.
 * @throws UsageFault if the address is invalid, or if it is an HTTP address of another machine
 */
function baseUrlOf(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isWeb = url !== undefined && ['http:', 'https:'].includes(url.protocol);
  if (!isWeb || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageFault('This is not a platform\'s address', 'Give an address such as https://platform.example.org.');
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new UsageFault('Over HTTP, a token is sent only to this machine', 'Give an address with https.');
  }
  return url.href.replace(/\/+$/, '');
}

function refusedLogin(error: unknown, baseUrl: string): Error {
  if (!(error instanceof ApiRefusal) || error.status === 404) {
    return new CommandFault(`${baseUrl} does not answer as a platform`, 'Check the address.', { cause: error });
  }
  if (error.status !== 401 && error.status !== 403) {
    return new CommandFault(`${baseUrl} cannot check the token: ${error.message}`, 'Try again later.', { cause: error });
  }
  const cure = error.code === 'missing_scope' ? 'Create a token with the scope read:user.' : 'Create another token.';
  return new CommandFault(`The token is refused, ${error.code}: ${error.message}`, cure);
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
  }
}

/** Opens a page in a browser. Returns false if this fails, or takes longer than 5 s. */
function openBrowser(page: string, environment: Environment): Promise<boolean> {
  const commands: Readonly<Record<string, readonly [string, ...string[]]>> = {
    darwin: ['open', page], win32: ['rundll32', 'url.dll,FileProtocolHandler', page],
  };
  const [program, ...values] = commands[process.platform] ?? [environment['BROWSER'] || 'xdg-open', page];
  return new Promise((resolve) => {
    execFile(program!, values, { timeout: 5_000 }, (error) => resolve(error === null));
  });
}
