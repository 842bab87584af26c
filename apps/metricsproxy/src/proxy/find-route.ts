import type { OpenHolder } from '@platform/leases';
import { type Database, sql } from '@platform/postgres';
import type { Caller } from '@platform/proto/orgs/v1/identity';
import { Fault } from '@platform/faults';
import type { Deadline, Sealer } from '@platform/service';
import type { BackendAccess } from '../backends/requested-backend.ts';
import { openBackend } from '../backends/store.ts';
import type { Flavor } from '../dashboards/dashboard.ts';
import { slotsOf } from '../identity.ts';

/** The current backend registrations for the metrics of one owner, cluster and project (`Identity`). */
export interface Route {
  /** The backend of the newest registration in any flavor (open-points 9.1). Undefined without a registration. */
  readonly access: BackendAccess | undefined;
  /** The flavors whose registration has succeeded. Tokens for other flavors are refused ({@link refuseFormerToken}). */
  readonly confirmed: readonly Flavor[];
}

/** Finds the {@link Route} for an identity in the form that `identityText` returns. */
export type FindRoute = (identity: string, deadline: Deadline) => Promise<Route>;

/** Maximum number of decrypted backends in memory. To decrypt a backend for each query would take too long. */
const mostKept = 1_000;

export function createFindRoute(database: Database, sealer: Sealer): FindRoute {
  // Decrypted backends. The revision of the row is part of the map's key, so that a changed row is decrypted again.
  const opened = new Map<string, BackendAccess>();
  return async (identity, deadline) => {
    interface Row { flavor: Flavor; confirmed: boolean; revision: string; keyId: string; bytes: Buffer }
    const rows = await database.query(sql<Row>`
      select flavor, confirmed, revision, sealed_by as "keyId", sealed_secret as "bytes"
        from backend where identity = ${identity} and present
       order by registered_at desc, id desc`, { deadline });
    const [row] = rows;
    if (row === undefined) return { access: undefined, confirmed: [] };
    const key = `${row.revision} ${row.keyId}`;
    const access = opened.get(key) ?? openBackend(sealer, { ...row, identity }).access;
    opened.delete(key);
    opened.set(key, access);
    if (opened.size > mostKept) opened.delete(opened.keys().next().value!);
    return { access, confirmed: rows.filter(({ confirmed }) => confirmed).map(({ flavor }) => flavor) };
  };
}

/** Finds routes in memory while a lease of this service allows this (leases.md), and otherwise with `find`. */
export function createKnownRoutes(find: FindRoute, holder: OpenHolder<Route>): FindRoute {
  return async (identity, deadline) => holder.look(identity) ?? holder.read(identity, async () => {
    const route = await find(identity, deadline);
    const bytes = 1_000 + 2 * (identity.length + JSON.stringify(route).length);
    return { result: route, kept: { keys: [`backend/${identity}`], value: route, bytes } };
  });
}

/**
 * Refuses a token that was created for a registration, unless a registration of the same flavor has succeeded and still
 * exists (open-points 9.1). So the token is refused as soon as all replicas have heard of a removal (leases.md L4),
 * before the token is revoked.
 * @throws Fault UNAUTHENTICATED
 */
export function refuseFormerToken(caller: Caller | undefined, { confirmed }: Route): void {
  const slot = caller?.tokenSlot;
  if (slot === undefined || confirmed.some((flavor) => Object.values(slotsOf(flavor)).includes(slot))) return;
  throw new Fault('UNAUTHENTICATED', 'invalid token');
}
