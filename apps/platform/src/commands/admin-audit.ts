import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../launcher/settings.ts';
import { columns, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from './operator-client.ts';

export interface AuditOptions extends ServerOptions {
  readonly account?: string;
  readonly action?: string;
  readonly limit: number;
}

/** `platform admin audit`: answers `{"entries": […]}`, newest first, fields as in AuditEntry. @throws Fault */
export async function listAudit(options: AuditOptions, environment: Environment, output: Output): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', options, environment);
  const { entries } = await service.listAudit({
    account: options.account ?? '',
    action: options.action ?? '',
    pageSize: options.limit,
    pageToken: '',
  }, operatorCall());
  output.answer({ entries }, () => entries.length === 0
    ? ['No change is recorded.']
    : columns(entries.map(({ at, actor, action, object, details }) => [at, actor, action, object, details])));
}
