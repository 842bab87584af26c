import { type Database, type Fragment, sql } from '@platform/postgres';
import { deadlineIn, loop, type Logger } from '@platform/service';

/** Writes the time of the last use of each token (open-points 1.3). No request waits for the write. */
export interface LastUsed extends AsyncDisposable {
  /** Notes that a token is used now. Call it only if the row shows no use within the last 30 s. */
  note(tokenId: number): void;
}

/** How long uses are collected before they are written, in milliseconds. */
const flushMs = 1_000;
const idleMs = 60_000;

/**
 * SQL condition: `lastUsed` is null, more than 30 s ago, or more than 30 s in the future. A time in the future occurs
 * after the database's clock was set back.
 */
export function lastUsedIsOld(lastUsed: Fragment): Fragment {
  return sql`(${lastUsed} between now() - interval '30 s' and now() + interval '30 s') is not true`;
}

export function startLastUsed(database: Database, log: Logger): LastUsed {
  let used = new Set<number>();

  async function flush(): Promise<void> {
    if (used.size === 0) return;
    const ids = [...used].sort((one, other) => one - other);
    const written = used;
    used = new Set();
    // Skip locked tokens, such as tokens that are being revoked, instead of waiting for them.
    const writing = database.execute(sql`
      update access_token set last_used_at = now()
       where id in (
         select id from access_token
          where id = any (${ids}::bigint[]) and ${lastUsedIsOld(sql`last_used_at`)}
          order by id for no key update skip locked
       )`, { deadline: deadlineIn(flushMs * 5) });
    await writing.catch((error: unknown) => {
      // The next write includes these tokens.
      used = used.union(written);
      throw error;
    });
  }

  const flushing = loop('last-used', idleMs, flush, log);
  return {
    note: (tokenId) => {
      used.add(tokenId);
      flushing.wake(flushMs);
    },
    [Symbol.asyncDispose]: async () => {
      await flushing[Symbol.asyncDispose]();
      await flush().catch((error: unknown) => log.warn({ error }, 'cannot store the time of the last use of tokens'));
    },
  };
}
