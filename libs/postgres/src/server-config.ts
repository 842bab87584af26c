import type pg from 'pg';
import type { Secret } from '@platform/service';

export function serverConfig(url: Secret | string, applicationName: string): pg.ClientConfig {
  return { connectionString: reveal(url), application_name: applicationName };
}

function reveal(url: Secret | string): string {
  return typeof url === 'string' ? url : url.reveal();
}

/** Returns the URL of the same server with another database, role or password. */
export function urlWith(
  url: Secret | string, change: { readonly database?: string; readonly role?: string; readonly password?: string },
): string {
  const changed = new URL(reveal(url));
  if (change.database !== undefined) changed.pathname = `/${encodeURIComponent(change.database)}`;
  if (change.role !== undefined) changed.username = encodeURIComponent(change.role);
  if (change.password !== undefined) changed.password = encodeURIComponent(change.password);
  return changed.href;
}
