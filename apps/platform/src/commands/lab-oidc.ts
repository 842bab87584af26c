import { startLabProvider } from '@platform/lab/oidc';
import { CommandFault } from '../command-fault.ts';
import { stateHome } from '../home.ts';
import type { Environment } from '../settings.ts';
import { listenForStop } from '../stop-request.ts';
import type { Output } from '../output.ts';
import { readRunFile } from '../run-file.ts';

/**
 * Runs an OpenID Connect provider in the foreground until a signal. Prints, as JSON, the redirect URIs and the
 * platform's setting for this provider (docs/sign-in.md).
 * @throws CommandFault, for example when the port is taken, or when the platform's address is unknown
 */
export async function labOidc(
  { port, baseUrl: given }: { readonly port: number; readonly baseUrl?: string },
  environment: Environment, output: Output,
): Promise<void> {
  const stop = listenForStop();
  const home = stateHome(environment);
  const baseUrl = given?.replace(/\/+$/, '') ?? (await readRunFile(home))?.baseUrl;
  if (baseUrl === undefined) {
    const cure = 'Name the address of a platform, such as --base-url http://127.0.0.1:8080.';
    throw new CommandFault(`No platform runs with the state folder ${home} (or it is still starting)`, cure);
  }
  const redirectUris = [`${baseUrl}/auth/oidc/lab/callback`];
  await using provider = await startLabProvider({ port, redirectUris }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new CommandFault(`the port ${port} is taken`, 'Choose another port with --port');
  });
  const { issuer, clientId, clientSecret } = provider;
  const setting = { name: 'lab', title: 'the lab', issuer, clientID: clientId, clientSecret };
  output.say(`The provider answers at ${issuer}. To sign in with this provider, start the platform with:`);
  output.say(`PLATFORM_AUTH_OIDC='${JSON.stringify([setting])}' npm start`);
  output.answer({ setting, redirectUris }, () => []);
  await stop.requested;
  output.say('Stopping …');
}
