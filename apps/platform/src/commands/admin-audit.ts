import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../launcher/settings.ts';
import { columns, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from './operator-client.ts';

export interface AuditOptions extends ServerOptions {
  readonly organization?: string;
  readonly actor?: string;
  readonly account?: string;
  readonly action?: string;
  /** RFC3339. */
  readonly since?: string;
  readonly limit: number;
}

/**
 * `platform admin audit`: answers `{"entries": […]}`, newest first, fields as in AuditEntry.
 * @throws Fault NOT_FOUND for an organization that is not there
 */
export async function listAudit(options: AuditOptions, environment: Environment, output: Output): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', options, environment);
  const { entries } = await service.listAudit({
    account: options.account ?? '',
    action: options.action ?? '',
    pageSize: options.limit,
    pageToken: '',
    ...(options.organization !== undefined && { organization: options.organization }),
    ...(options.actor !== undefined && { actor: options.actor }),
    ...(options.since !== undefined && { since: options.since }),
  }, operatorCall());
  output.answer({ entries }, () => entries.length === 0
    ? ['No change is recorded.']
    : columns(entries.map(({ at, actor, action, object, details }) => [at, actor, action, object, details])));
}
