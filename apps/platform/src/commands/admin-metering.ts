import { MeteringAdminServiceService } from '@platform/proto/marketplace/v1/metering';
import type { Environment } from '../settings.ts';
import { columns, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

/**
 * `platform admin metering resend`: adds the usage of abandoned reports to the next hourly report of the same
 * subscription. Without `ids`, resends all abandoned reports, but at most 1000 per call. Skips subscriptions that are
 * no longer metered. With `--json`, prints
 * `{"reports": [{"id", "subscriptionId", "dimension", "hour", "quantity"}]}`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function resendReports(
  ids: readonly string[], server: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(MeteringAdminServiceService, 'marketplace-listener', server, environment);
  const { reports } = await service.resendReports({ ids: [...ids] }, operatorCall());
  output.answer({ reports }, () => reports.length === 0
    ? ['There is no abandoned report to send again.']
    : [
      'This usage will be in the next hourly report of each subscription:',
      ...columns(reports.map(({ id, subscriptionId, dimension, hour, quantity }) =>
        [id, String(subscriptionId), dimension, hour, String(quantity)])),
    ]);
}
