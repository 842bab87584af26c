import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../launcher/settings.ts';
import { columns, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';

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
 * `platform admin audit`: answers `{"entries": […]}`, newest first, fields as in AuditEntry, `details` as an object.
 * @throws Fault NOT_FOUND for an organization that is not there
 */
export async function listAudit(options: AuditOptions, environment: Environment, output: Output): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', options, environment);
  const answer = await service.listAudit({
    account: options.account ?? '',
    action: options.action ?? '',
    pageSize: options.limit,
    pageToken: '',
    ...(options.organization !== undefined && { organization: options.organization }),
    ...(options.actor !== undefined && { actor: options.actor }),
    ...(options.since !== undefined && { since: options.since }),
  }, operatorCall());
  const entries = answer.entries.map((entry) => ({ ...entry, details: JSON.parse(entry.details) as Details }));
  output.answer({ entries }, () => entries.length === 0
    ? ['No change is recorded.']
    : columns(entries.map(({ at, actor, action, object, details }) => [at, actor, action, object, textOf(details)])));
}

/** What changed, by name. */
type Details = Readonly<Record<string, unknown>>;

/** `isAdmin: true; name: acme` */
function textOf(details: Details): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.entries(details).map(([name, value]) => `${name}: ${text(value)}`).join('; ');
}
