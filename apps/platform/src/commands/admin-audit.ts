import { AdminServiceService, type AuditEntry } from '@platform/proto/orgs/v1/admin';
import type { Environment } from '../settings.ts';
import { columns, facts, type Output } from '../output.ts';
import { connectOperator, operatorCall, type ServerOptions } from '../operator-client.ts';
import { refuseMissing } from './lists.ts';

interface AuditOptions extends ServerOptions {
  readonly organization?: string;
  readonly actor?: string;
  readonly account?: string;
  readonly action?: string;
  /** Only changes at or after this time are listed; RFC3339. */
  readonly since?: string;
  readonly limit: number;
}

/**
 * `platform admin audit list`: prints changes, newest first. With `--json`, prints `{"entries": […]}`. An entry has the
 * fields of AuditEntry, but `details` is an object.
 * @throws Fault, for example NOT_FOUND for an unknown organization; CommandFault, ConfigError
 */
export async function listAudit(
  { organization, actor, account = '', action: wanted = '', since, limit, ...server }: AuditOptions,
  environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const asked = { account, action: wanted, pageSize: limit, pageToken: '', organization, actor, since };
  const answer = await service.listAudit(asked, operatorCall());
  const entries = answer.entries.map(shownEntry);
  output.answer({ entries }, () => entries.length === 0
    ? ['No changes were found.']
    : columns(entries.map(({ id, at, actor, action, object, details }) =>
      [String(id), at, actor, action, object, textOf(details)])));
}

/**
 * `platform admin audit show`: prints one change. With `--json`, prints an entry as in `audit list`.
 * @throws Fault, CommandFault, ConfigError
 */
export async function showAudit(
  id: number, server: ServerOptions, environment: Environment, output: Output,
): Promise<void> {
  await using service = await connectOperator(AdminServiceService, 'orgs-teams', server, environment);
  const request = { id, account: '', action: '', pageSize: 1, pageToken: '' };
  const { entries: [found] } = await service.listAudit(request, operatorCall());
  const entry = shownEntry(refuseMissing(found, `entry ${id} of the audit`, 'audit list'));
  output.answer(entry, () => facts([
    ['id', entry.id], ['at', entry.at], ['actor', entry.actor], ['action', entry.action], ['object', entry.object],
    ['organization', entry.organizationId || ''], ['request', entry.requestId],
    ...Object.entries(entry.details).map(([name, value]) => [name, valueText(value)] as const),
  ]));
}

function shownEntry(entry: AuditEntry) {
  return { ...entry, details: JSON.parse(entry.details) as Details };
}

type Details = Readonly<Record<string, unknown>>;

/** Formats details as one text: `isAdmin: true; name: acme`. */
function textOf(details: Details): string {
  return Object.entries(details).map(([name, value]) => `${name}: ${valueText(value)}`).join('; ');
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
