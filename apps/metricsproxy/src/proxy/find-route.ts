import { type Database, sql } from '@platform/postgres';
import type { Deadline, Sealer } from '@platform/service';
import type { BackendAccess } from '../backends/requested-backend.ts';
import { openBackend } from '../backends/store.ts';
import type { Flavor } from '../dashboards/dashboard.ts';

/** The backend behind an identity at this moment: of two flavors the newest registration (open-points 9.1). */
export type FindRoute = (identity: string, deadline: Deadline) => Promise<BackendAccess | undefined>;

/** How many opened backends are kept: opening is cheap, but not for each query of a busy dashboard. */
const mostKept = 1_000;

export function createFindRoute(database: Database, sealer: Sealer): FindRoute {
  // By revision, which names one state of the row: what is kept is never old.
  const opened = new Map<string, BackendAccess>();
  return async (identity, deadline) => {
    interface Row { flavor: Flavor; revision: string; keyId: string; bytes: Buffer }
    const row = await database.maybeOne(sql<Row>`
      select flavor, revision, sealed_by as "keyId", sealed_secret as "bytes"
        from backend where identity = ${identity} and present
       order by registered_at desc, id desc limit 1`, { deadline });
    if (row === undefined) return undefined;
    const key = `${row.revision} ${row.keyId}`;
    const access = opened.get(key) ?? openBackend(sealer, { ...row, identity }).access;
    opened.delete(key);
    opened.set(key, access);
    if (opened.size > mostKept) opened.delete(opened.keys().next().value!);
    return access;
  };
}
