import type pg from 'pg';
import type { Secret } from '@platform/service';

export interface Identity {
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Becomes the `search_path`. */
  readonly schema?: string | undefined;
  /** How long a statement waits for a lock, in milliseconds; default without limit. */
  readonly lockTimeout?: number | undefined;
}

const schemaPattern = /^[a-z_][a-z0-9_]*$/;

/** How to reach a server, as pg wants it. The time zone is fixed, so that no host's shows. */
export function serverConfig(
  url: Secret | string,
  { applicationName, schema, lockTimeout }: Identity,
): pg.ClientConfig {
  // Statements are prepared once and values come as arrays: without this PostgreSQL would plan it again at
  // each call, which costs several times what a look-up by index does.
  // What is read by index lies in memory or on an SSD: with a disk in mind PostgreSQL would read whole tables.
  const settings = ['-c timezone=UTC', '-c plan_cache_mode=force_generic_plan', '-c random_page_cost=1.1'];
  if (schema !== undefined) {
    if (!schemaPattern.test(schema)) throw new TypeError(`"${schema}" is no name of a schema`);
    settings.push(`-c search_path=${schema}`);
  }
  if (lockTimeout !== undefined) settings.push(`-c lock_timeout=${lockTimeout}`);
  return {
    connectionString: reveal(url),
    application_name: applicationName,
    options: settings.join(' '),
  };
}

export function reveal(url: Secret | string): string {
  return typeof url === 'string' ? url : url.reveal();
}

/** The same server with another database, or another role. */
export function urlWith(
  url: Secret | string,
  change: { readonly database?: string; readonly role?: string; readonly password?: string },
): string {
  const changed = new URL(reveal(url));
  if (change.database !== undefined) changed.pathname = `/${encodeURIComponent(change.database)}`;
  if (change.role !== undefined) changed.username = encodeURIComponent(change.role);
  if (change.password !== undefined) changed.password = encodeURIComponent(change.password);
  return changed.href;
}
