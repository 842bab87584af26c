import type { Database } from '@platform/postgres';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { type OutgoingContext, type RpcClient, unavailable } from '@platform/rpc';
import { Secret, type Sealer } from '@platform/service';
import type { Dashboard, Flavor, Place } from '../dashboards/dashboard.ts';
import { scopeOf } from '../identity.ts';
import { type BackendRow, finish, type Lease, openBackend, renewLease } from './store.ts';

/** The tokens of identities, at orgs-teams. */
export type Tokens = Pick<RpcClient<typeof AdminServiceService>, 'putScopedToken' | 'revokeScopedTokens'>;

export interface SettleParts {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly tokens: Tokens;
  /** Undefined for a flavor that is not configured. */
  readonly dashboards: Readonly<Partial<Record<Flavor, Dashboard>>>;
  /** `metricsproxy.publicURL`. */
  readonly publicUrl: string | undefined;
}

/** What a settled backend is. */
export interface Settled {
  readonly row: BackendRow;
  /** Where its datasource is; undefined when the backend is gone. */
  readonly place: Place | undefined;
}

/**
 * Brings tokens and dashboard in line with what the row says, and again when that changes meanwhile. Each step may be
 * repeated, and is done by one process at a time: a process that lost the lease does nothing more.
 * @param issue a token to keep for the caller of a registration, of this revision only
 * @throws Fault UNAVAILABLE, BAD_UPSTREAM, DeadlineExceeded
 */
export async function settle(
  parts: SettleParts,
  lease: Lease,
  context: OutgoingContext,
  issue?: { readonly token: Secret; readonly revision: string },
): Promise<Settled> {
  const { database } = parts;
  const { deadline } = context;
  const renew = async (): Promise<BackendRow> => {
    const row = await renewLease(database, lease, { deadline });
    if (row === undefined) throw unavailable('the registration');
    return row;
  };
  for (;;) {
    const row = await renew();
    const dashboard = parts.dashboards[row.flavor];
    const call = { deadline, beforeRequest: renew };
    const slots = slotsOf(row.flavor);
    const scope = scopeOf(row.identity);
    const keep = (slot: string, token: Secret) => putToken(parts.tokens, row, scope, slot, token, context);
    // Tokens go even where the flavor is not configured any more.
    if (!row.present) await parts.tokens.revokeScopedTokens({ scope, slots: Object.values(slots) }, context);
    if (dashboard === undefined || parts.publicUrl === undefined) throw unavailable(`the dashboard of ${row.flavor}`);
    let place: Place | undefined;
    if (row.present) {
      const token = new Secret(openBackend(parts.sealer, row).datasourceToken);
      await keep(slots.datasource, token);
      place = await dashboard.put(call, { ...row, url: `${parts.publicUrl}/${row.identity}/`, token });
      if (issue?.revision === row.revision) await keep(slots.issued, issue.token);
    } else {
      await dashboard.remove(call, row);
    }
    if (await finish(database, lease, row, { deadline })) return { row, place };
  }
}

/** Organization tokens made by the platform are valid for ten years (open-points 3.4). */
const tenYears = 10 * 365 * 86_400;

async function putToken(
  tokens: Tokens,
  { ownerId, identity }: BackendRow,
  scope: string,
  slot: string,
  token: Secret,
  context: OutgoingContext,
): Promise<void> {
  const name = `metrics of ${identity.slice(0, 60)} ${new Date().toISOString().slice(0, 19)}Z`;
  await tokens.putScopedToken(
    { accountId: ownerId, scope, slot, name, token: token.reveal(), expiresInSeconds: tenYears }, context,
  );
}

/** Slots of the tokens that an identity has in a flavor (orgs-teams, `PutScopedToken`). */
function slotsOf(flavor: Flavor) {
  return {
    /** The datasource signs in with it. */
    datasource: `${flavor}/datasource`,
    /** Answered where `issueToken` asks for it. */
    issued: `${flavor}/issued`,
  } as const;
}
