import { MeteringAdminServiceService } from '@platform/proto/marketplace/v1/metering';
import type { Environment } from '../settings.ts';
import { columns, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

/**
 * `platform admin metering resend`: without ids, resends all reports that were given up, at most 1000 at once. Answers
 * `{"reports": [{"id", "subscriptionId", "dimension", "hour", "quantity"}]}`. @throws Fault
 */
export async function resendReports(
  ids: readonly string[], options: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(
    MeteringAdminServiceService, 'marketplace-listener', options, environment,
  );
  const { reports } = await service.resendReports({ ids: [...ids] }, operatorCall());
  output.answer({ reports }, () => reports.length === 0
    ? ['There is no abandoned report to send again.']
    : [
      'The next hour of each subscription reports this use again:',
      ...columns(reports.map(({ id, subscriptionId, dimension, hour, quantity }) => [
        id, String(subscriptionId), dimension, hour, String(quantity),
      ])),
    ]);
}
