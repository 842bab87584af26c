import { unavailable } from '@platform/faults';
import { platformToken } from '@platform/owners';
import type { Database } from '@platform/postgres';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { OutgoingContext, RpcClient } from '@platform/rpc';
import { deadlineIn, pause, remaining, Secret, type Sealer } from '@platform/service';
import type { Dashboard, Flavor } from '../dashboards/dashboard.ts';
import { scopeOf, slotsOf } from '../identity.ts';
import {
  type BackendRow, finish, giveUp, type Lease, openBackend, readBackend, renewLease, returnLease, takeLease,
  type Wanted,
} from './store.ts';

export interface SettleParts {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly tokens: Pick<RpcClient<typeof AdminServiceService>, 'putScopedToken' | 'revokeScopedTokens'>;
  /** The configured dashboards, by {@link Flavor}: Grafana, Perses, both or none. */
  readonly dashboards: Readonly<Partial<Record<Flavor, Dashboard>>>;
  /** `metricsproxy.publicURL`, by default `{http.baseURL}/metrics-proxy`. Undefined if neither is set. */
  readonly publicUrl: string | undefined;
}

/** Interval at which a request checks whether another process still works on the same backend, in milliseconds. */
const busyMs = 200;
const cleanUpMs = 2_000;

/**
 * Runs {@link settle} for the backend of a request. Waits while another process works on the backend. That process may
 * also apply the change of this request.
 * @returns the state of the backend afterwards; undefined if the backend no longer exists
 * @throws Fault UNAVAILABLE, BAD_UPSTREAM; DeadlineExceeded
 */
export async function settleInTurn(
  parts: SettleParts, wanted: Wanted, context: OutgoingContext, issue?: Secret,
): Promise<BackendRow | undefined> {
  const { database } = parts;
  const { deadline } = context;
  for (;;) {
    const row = await readBackend(database, wanted.id, { deadline });
    if (row === undefined || (row.settled && issue === undefined)) return row;
    const lease = await takeLease(database, wanted.id, { deadline });
    if (lease !== undefined) {
      return settle(parts, lease, context, issue).catch(async (error: unknown) => {
        // If the lease cannot be returned, it expires by itself.
        await returnLease(database, lease, { deadline: deadlineIn(cleanUpMs) }).catch(() => undefined);
        throw error;
      });
    }
    if (remaining(deadline) < 5 * busyMs) throw unavailable('the registration');
    await pause(busyMs, deadline.signal);
  }
}

/** Runs work for a request. If the work fails, gives up the change of the request ({@link giveUp}). */
export async function orGiveUp<Result>(
  { database }: SettleParts, wanted: Wanted, work: () => Promise<Result>,
): Promise<Result> {
  return work().catch(async (error: unknown) => {
    // If `giveUp` fails too, the job that was stored with the change finishes or undoes the change later.
    await giveUp(database, wanted, { deadline: deadlineIn(cleanUpMs) }).catch(() => undefined);
    throw error;
  });
}

/**
 * Updates the tokens and the dashboard to match the row of a backend. Starts again if the row changes meanwhile. Calls
 * may be repeated.
 * @param issue a token to store for the caller of a registration
 * @returns the current row; if `present` is false, the row was deleted
 * @throws Fault UNAVAILABLE, also if the lease is lost; BAD_UPSTREAM; DeadlineExceeded
 */
export async function settle(
  parts: SettleParts, lease: Lease, context: OutgoingContext, issue?: Secret,
): Promise<BackendRow> {
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
    const keep = (slot: string, token: Secret) => parts.tokens.putScopedToken({
      accountId: row.ownerId, scope, slot, token: token.reveal(),
      ...platformToken(`metrics of ${row.identity.slice(0, 60)}`),
    }, context);
    // An unconfirmed backend must not keep a token that was issued for an earlier registration. Revoke tokens before
    // the dashboard is checked, so that the revocation also works for a flavor that is no longer configured.
    const revoked = !row.present ? Object.values(slots) : row.confirmed ? [] : [slots.issued];
    if (revoked.length > 0) await parts.tokens.revokeScopedTokens({ scope, slots: revoked }, context);
    let { folderId } = row;
    if (!row.settled) {
      if (dashboard === undefined || parts.publicUrl === undefined) throw unavailable(`the dashboard of ${row.flavor}`);
      if (row.present) {
        const token = new Secret(openBackend(parts.sealer, row).datasourceToken);
        await keep(slots.datasource, token);
        ({ folderId } = await dashboard.put(call, { ...row, url: `${parts.publicUrl}/${row.identity}/`, token }));
      } else {
        await dashboard.remove(call, row);
      }
    }
    if (row.present && issue !== undefined) await keep(slots.issued, issue);
    const settled = { ...row, folderId };
    if (await finish(database, lease, settled, { deadline })) return settled;
  }
}
