import { EventAdminServiceService } from '@platform/proto/billing/v1/event_admin';
import { ClusterAdminServiceService } from '@platform/proto/clusters/v1/cluster';
import { LicenseAuthorityServiceService } from '@platform/proto/contracts/v1/license_authority';
import { InstallerAdminServiceService } from '@platform/proto/marketplace/v1/installer';
import { MetricsProxyAdminServiceService } from '@platform/proto/metricsproxy/v1/metricsproxy';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { CommandFault } from '../command-fault.ts';
import type { Environment } from '../settings.ts';
import type { Output } from '../output.ts';
import { step } from '../progress.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

/** Time limit of one call, in milliseconds. It is long, because a service goes through all its stored secrets. */
const patience = 600_000;

/**
 * `platform admin keys rotate`: re-encrypts stored secrets that are not encrypted with the first key in
 * `secrets.encryptionKeys`. With `--json`, prints `{"resealed": 3, "unreadable": 0}`.
 * @throws Fault, ConfigError; CommandFault, for example if no configured key can decrypt a secret
 */
export async function rotateKeys(server: ServerOptions, environment: Environment, output: Output): Promise<void> {
  await using accounts = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  await using clusters = await connectOperator(ClusterAdminServiceService, 'clusters', server, environment);
  await using cas = await connectOperator(LicenseAuthorityServiceService, 'contracts-licensing', server, environment);
  await using backends = await connectOperator(MetricsProxyAdminServiceService, 'metricsproxy', server, environment);
  await using market = await connectOperator(InstallerAdminServiceService, 'marketplace-listener', server, environment);
  await using answers = await connectOperator(EventAdminServiceService, 'billing-dashboard', server, environment);
  const services = [accounts, clusters, cas, backends, market, answers];
  const rotating = step('Re-encrypting stored secrets');
  let [resealed, unreadable] = [0, 0];
  for (const [done, service] of services.entries()) {
    rotating.reached(`${done} of ${services.length} services, ${resealed} secrets`);
    const counts = await service.rotateKeys({}, operatorCall(patience));
    resealed += counts.resealed;
    unreadable += counts.unreadable;
  }
  if (unreadable > 0) {
    throw new CommandFault(
      `${unreadable} stored secrets cannot be decrypted with any configured key (${resealed} were re-encrypted)`,
      'Add the key that encrypted them to secrets.encryptionKeys, restart the services and run the command again.',
    );
  }
  output.answer({ resealed, unreadable }, () => [
    `${resealed} stored secrets were re-encrypted with the first key. The other keys are no longer needed.`,
  ]);
}
