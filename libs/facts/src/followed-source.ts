import type { Fact } from '@platform/proto/facts/v1/facts';
import { type Database, sql, type Transaction } from '@platform/postgres';
import type { Deadline } from '@platform/service';

/**
 * How long a replica keeps the right to follow a source, in seconds. Each response renews the right. An idle source
 * responds about every 6 s.
 */
const heldSeconds = 18;

/** How far this service has read the facts of a source. */
export interface Progress { readonly epoch: string; readonly position: string }

/** This replica no longer has the right to follow the source, or the stored position has changed meanwhile. */
export class SourceLost extends Error {
  override readonly name = 'SourceLost';
}

/**
 * Returns the stored progress; undefined until this service has read all facts of the source, and while the service
 * reads all of them again.
 */
export function readProgress(database: Database, source: string, deadline: Deadline): Promise<Progress | undefined> {
  return database.maybeOne(sql<Progress>`
    select epoch, position from followed_source where source = ${source} and is_complete`, { deadline });
}

/** Takes the right to follow a source. @returns the stored progress; undefined while another replica has the right */
export function takeSource(
  database: Database, { source, holder, kinds }: { source: string; holder: string; kinds: readonly string[] },
  deadline: Deadline,
): Promise<Progress | undefined> {
  // If this service now follows other kinds of facts, all facts are read again.
  return database.maybeOne(sql<Progress>`
    insert into followed_source as followed (source, kinds, holder, held_until)
    values (${source}, ${kinds}, ${holder}, now() + make_interval(secs => ${heldSeconds}))
    on conflict (source) do update
       set holder = excluded.holder, held_until = excluded.held_until, kinds = excluded.kinds,
           epoch = case when followed.kinds = excluded.kinds then followed.epoch else '' end
     where followed.holder = excluded.holder or followed.held_until is null or followed.held_until < now()
    returning epoch, position`, { deadline });
}

export async function leaveSource(
  database: Database, source: string, holder: string, deadline: Deadline,
): Promise<void> {
  await database.execute(sql`
    update followed_source set holder = null, held_until = null
     where source = ${source} and holder = ${holder}`, { deadline });
}

interface Step { source: string; holder: string; from: Progress; to: Progress; fromStart: boolean; upToDate: boolean }

/** The reading that a step belongs to. A new reading starts when a source sends its facts from the first fact on. */
interface Reading {
  readonly reading: number;
  /**
   * Whether this step completes the reading. If so, a row that did not occur in the reading no longer exists at the
   * source.
   */
  readonly ends: boolean;
}

/** Stores the new position, and locks the row of the source until the transaction ends. @throws SourceLost */
export async function moveOn(
  transaction: Transaction, { source, holder, from, to, fromStart, upToDate }: Step,
): Promise<Reading> {
  const moved = await transaction.maybeOne(sql<Reading>`
    with before as (select * from followed_source where source = ${source} for update)
    update followed_source as followed
       set epoch = ${to.epoch}, position = ${to.position},
           reading = followed.reading + ${fromStart}::boolean::integer,
           is_complete = ${upToDate} or (followed.is_complete and not ${fromStart}),
           up_to_date_at = case when ${upToDate} then now() else followed.up_to_date_at end,
           held_until = now() + make_interval(secs => ${heldSeconds})
      from before
     where followed.source = before.source and before.holder = ${holder}
       and before.epoch = ${from.epoch} and before.position = ${from.position}
    returning followed.reading as "reading",
              ${upToDate} and (${fromStart} or not before.is_complete) as "ends"`);
  if (moved === undefined) throw new SourceLost(`this replica may no longer follow ${source}`);
  return moved;
}

/** Like {@link moveOn}, for a response without facts. @returns false if nothing was stored: call {@link moveOn} then */
export async function moveOnUnchanged(
  database: Database, { source, holder, from, to, upToDate }: Omit<Step, 'fromStart'>, deadline: Deadline,
): Promise<boolean> {
  const moved = await database.execute(sql`
    update followed_source
       set position = ${to.position}, held_until = now() + make_interval(secs => ${heldSeconds}),
           up_to_date_at = case when ${upToDate} then now() else up_to_date_at end
     where source = ${source} and holder = ${holder} and is_complete
       and epoch = ${from.epoch} and epoch = ${to.epoch} and position = ${from.position}`, { deadline });
  return moved === 1;
}

/**
 * Stores the keys of the facts that have a value, with the number of the reading. Deletes the keys of the other facts,
 * because the source has deleted the rows of these facts.
 */
export async function noteKeys(
  transaction: Transaction, source: string, reading: number, facts: readonly Fact[],
): Promise<void> {
  const [gone, there] = [facts.filter(({ value }) => value === ''), facts.filter(({ value }) => value !== '')];
  if (gone.length > 0) {
    await transaction.execute(sql`
      delete from followed_key
       using unnest(${gone.map(({ kind }) => kind)}::text[], ${gone.map(({ key }) => key)}::text[]) as gone (kind, key)
       where followed_key.source = ${source} and (followed_key.kind, followed_key.key) = (gone.kind, gone.key)`);
  }
  if (there.length > 0) {
    const seen = sql`unnest(${there.map(({ kind }) => kind)}::text[], ${there.map(({ key }) => key)}::text[])`;
    await transaction.execute(sql`
      insert into followed_key as known (source, kind, key, reading)
      select ${source}, kind, key, ${reading}::integer
        from ${seen} as seen (kind, key)
      on conflict (source, kind, key) do update set reading = excluded.reading
       where known.reading <> excluded.reading`);
  }
}

/** Deletes at most `limit` keys of a source that did not occur in the given reading. Returns the deleted keys. */
export function takeUnseen(
  transaction: Transaction, source: string, reading: number, limit: number,
): Promise<Pick<Fact, 'kind' | 'key'>[]> {
  return transaction.query(sql<Pick<Fact, 'kind' | 'key'>>`
    delete from followed_key
     where source = ${source} and (kind, key) in (
             select kind, key from followed_key where source = ${source} and reading < ${reading} limit ${limit}
           )
    returning kind, key`);
}

/**
 * Returns the seconds since all facts of a source were last applied, for each source. Until this has happened once, the
 * seconds count from the first attempt to follow the source.
 */
export function readBehind(database: Database, deadline: Deadline): Promise<{ source: string; seconds: number }[]> {
  return database.query(sql<{ source: string; seconds: number }>`
    select source, extract(epoch from greatest(now() - up_to_date_at, interval '0'))::float8 as "seconds"
      from followed_source`, { deadline });
}
