import { InstallerAdminServiceService } from '@platform/proto/marketplace/v1/installer';
import { readGiven } from '../given-file.ts';
import type { Environment } from '../settings.ts';
import { columns, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { allParts } from './lists.ts';

const service = 'marketplace-listener';

interface CreateInstallerOptions extends ServerOptions {
  readonly marketplace: string;
  readonly name: string;
  readonly owner?: string;
  readonly meteringUrl?: string;
  readonly meteringTokenFile?: string;
}

/**
 * `platform admin installer create`: creates an installer. With `--json`, prints `{"installerId", "subscriptionId"?,
 * "claimId"?, "owner"}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function createInstaller(
  { marketplace, name, owner, meteringUrl, meteringTokenFile, ...server }: CreateInstallerOptions,
  environment: Environment, output: Output,
): Promise<void> {
  const cureOfEmpty = 'With --metering-token-file, name a file that contains a token.';
  const meteringToken = meteringTokenFile === undefined ? undefined
    : (await readGiven(meteringTokenFile, 'Name another file with --metering-token-file.', cureOfEmpty)).trim();
  await using installers = await connectOperator(InstallerAdminServiceService, service, server, environment);
  const request = { marketplace, name, owner, meteringUrl, meteringToken };
  const made = await installers.createInstaller(request, operatorCall());
  const { installerId, subscriptionId, claimId } = made;
  output.answer({ installerId, subscriptionId, claimId, owner: made.owner }, () => [
    `Installer ${installerId} of ${made.owner}`,
    ...(subscriptionId === undefined ? [] : [`Subscription ${subscriptionId}`]),
    ...(claimId === undefined ? [] : [`Claim ${claimId}`]),
  ]);
}

/**
 * `platform admin installer list`: prints the installers. With `--json`, prints `{"installers": […]}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function listInstallers(server: ServerOptions, environment: Environment, output: Output): Promise<void> {
  await using admin = await connectOperator(InstallerAdminServiceService, service, server, environment);
  const list = (after: string | undefined) => admin.listInstallers({ after }, operatorCall());
  const installers = await allParts(list, (part) => part.installers);
  output.answer({ installers }, () => columns([
    ['INSTALLER', 'MARKETPLACE', 'NAME', 'OWNER', 'STATE', 'CLUSTER'],
    ...installers.map(({ installerId, marketplace, name, owner, state, clusterId = '' }) =>
      [installerId, marketplace, name, owner, state, clusterId]),
  ]));
}
