import { type Fragment, sql, type Statement, type Transaction } from '@platform/postgres';
import { AdmissionChanged } from '@platform/rpc';

/** Lock modes, weakest first. */
const modes = ['for key share', 'for share', 'for no key update', 'for update'] as const;

/** Mode of a PostgreSQL row lock (authorization.md W1). */
export type LockMode = (typeof modes)[number];

export interface Lock<Table extends string = string> {
  readonly table: Table;
  /** Values of the key columns, in the order given to {@link createLocks}. */
  readonly key: number | readonly number[];
  readonly mode: LockMode;
  /**
   * Id of the owner on which the caller's admission is based. The owner is compared again under the lock, because the
   * row may have moved to another owner (authorization.md R2).
   */
  readonly ownerId?: number;
}

export interface LockedTable<Table extends string = string> {
  readonly table: Table;
  /** Key columns of type bigint; default `['id']`. */
  readonly key?: readonly string[];
}

/** The order in which a service locks its rows. */
export interface Locks<Table extends string> {
  /** Sorts the locks into this order. Each row occurs once, with the strongest requested mode. */
  inOrder(locks: readonly Lock<Table>[]): Lock<Table>[];
  /**
   * Takes the locks. Skips missing rows, which the change itself must detect.
   * @throws AdmissionChanged when a row no longer belongs to the account `ownerId` of its lock
   */
  take(transaction: Transaction, locks: readonly Lock<Table>[]): Promise<void>;
}

/**
 * Returns the order in which a service locks rows (authorization.md W1). Rows are locked in the order of `tables`, and
 * within a table by ascending key. This order avoids deadlocks. If `tables` contains {@link ownerLocks}, it must be the
 * first entry.
 */
export function createLocks<const Table extends string>(tables: readonly (Table | LockedTable<Table>)[]): Locks<Table> {
  const columnsOf = new Map(tables.map((table): [string, readonly string[]] =>
    (typeof table === 'string' ? [table, ['id']] : [table.table, table.key ?? ['id']])));
  const ranks = new Map([...columnsOf.keys()].map((table, rank) => [table, rank]));

  function inOrder(locks: readonly Lock<Table>[]): Lock<Table>[] {
    const strongest = new Map<string, Lock<Table>>();
    for (const wanted of locks) {
      const key = `${wanted.table} ${keyOf(wanted).join(' ')}`;
      const known = strongest.get(key);
      strongest.set(key, known === undefined ? wanted : merged(known, wanted));
    }
    return [...strongest.values()].sort((one, other) =>
      ranks.get(one.table)! - ranks.get(other.table)! || compareKeys(keyOf(one), keyOf(other)));
  }

  return {
    inOrder,
    take: async (transaction, locks) => {
      const groups = grouped(inOrder(locks));
      for (let start = 0; start < groups.length; start += groupsPerStatement) {
        const moved = await transaction.query(takeAll(groups.slice(start, start + groupsPerStatement), columnsOf));
        if (moved.length > 0) throw new AdmissionChanged();
      }
    },
  };
}

/** Maximum number of groups in one statement. It bounds the number of different prepared statements. */
const groupsPerStatement = 6;

/** Consecutive locks that one select takes: rows of one table in one mode. */
type Group = readonly [Lock, ...Lock[]];

function grouped(locks: readonly Lock[]): Group[] {
  const groups: [Lock, ...Lock[]][] = [];
  for (const next of locks) {
    const last = groups.at(-1);
    if (last !== undefined && last[0].table === next.table && last[0].mode === next.mode) last.push(next);
    else groups.push([next]);
  }
  return groups;
}

/**
 * Returns a statement that locks the groups one after the other. Each select needs the number of rows of the previous
 * select, so it cannot start earlier. The statement returns a row for each locked row whose owner is not the expected
 * account.
 */
function takeAll(groups: readonly Group[], columnsOf: ReadonlyMap<string, readonly string[]>): Statement {
  const named = groups.map((group, index) => {
    const before = index === 0 ? sql`` : sql`and (select count(*) from ${taken(index - 1)}) >= 0`;
    return sql`${taken(index)} as materialized (${lockGroup(group, columnsOf.get(group[0].table)!, before)})`;
  });
  const all = sql`(select count(*) from ${taken(groups.length - 1)}) >= 0`;
  const owned = groups.flatMap((group, index) => (hasOwners(group) ? [movedRows(group, taken(index))] : []));
  const moved = owned.reduce((rows, more) => sql`${rows} union all ${more}`, sql`select where not ${all}`);
  return sql`with ${sql.join(named)} ${moved}`;
}

function taken(index: number): Fragment {
  return sql.identifier(`taken_${index}`);
}

function lockGroup(group: Group, columns: readonly string[], before: Fragment): Fragment {
  const [{ table, mode }] = group;
  if (table === ownerLocks) return lockOwners(group, before);
  const names = sql.join(columns.map((column) => sql.identifier(column)));
  const keys = columns.map((_, index) => sql`${group.map((lock) => keyOf(lock)[index])}::bigint[]`);
  const among = columns.length === 1
    ? sql`${names} = any (${keys[0]!})` : sql`(${names}) in (select * from unnest(${sql.join(keys)}))`;
  const owner = hasOwners(group) ? sql`, owner_id` : sql``;
  const from = sql.identifier(table);
  return sql`select ${names}${owner} from ${from} where ${among} ${before} order by ${names} ${modeText[mode]}`;
}

/** In {@link createLocks}, this table name stands for advisory locks on the owners of rows. */
export const ownerLocks = 'closed_owner';

/**
 * Returns the select that takes the advisory locks of owners (libs/owners, ADR 0035). `for update` takes exclusive
 * locks. Other modes take shared locks. Triggers take the same shared locks when rows are added or moved. A write that
 * locks rows and then adds or moves rows must list the locks of the owners. Otherwise, the triggers would take these
 * locks after the row locks.
 */
function lockOwners(group: Group, before: Fragment): Fragment {
  const [{ mode }] = group;
  const take = mode === 'for update' ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  const owners = group.map((lock) => keyOf(lock)[0]);
  return sql`
    select ${take}('closed_owner'::regclass::oid::integer, lock)
      from (select distinct owner_lock(owner) as lock from unnest(${owners}::bigint[]) as owner order by 1) as locks
     where true ${before}`;
}

function hasOwners(group: Group): boolean {
  return group.some(({ ownerId }) => ownerId !== undefined);
}

/**
 * Selects the locked rows whose owner differs from the `ownerId` of their lock. A select with a lock reads the latest
 * committed state of a row, so a move to another owner is detected.
 */
function movedRows(group: Group, locked: Fragment): Fragment {
  const owned = group.filter(({ ownerId }) => ownerId !== undefined);
  const [ids, owners] = [owned.map((lock) => keyOf(lock)[0]), owned.map(({ ownerId }) => ownerId)];
  return sql`
    select from ${locked} as locked
      join unnest(${ids}::bigint[], ${owners}::bigint[]) as decided (id, owner_id) on decided.id = locked.id
     where locked.owner_id <> decided.owner_id`;
}

function keyOf({ key }: Lock): readonly number[] {
  return typeof key === 'number' ? [key] : key;
}

function compareKeys(one: readonly number[], other: readonly number[]): number {
  const differs = one.findIndex((value, index) => value !== other[index]);
  return differs === -1 ? 0 : one[differs]! - other[differs]!;
}

function merged<Table extends string>(one: Lock<Table>, other: Lock<Table>): Lock<Table> {
  const stronger = modes.indexOf(one.mode) < modes.indexOf(other.mode) ? other : one;
  const ownerId = one.ownerId ?? other.ownerId;
  return ownerId === undefined ? stronger : { ...stronger, ownerId };
}

const modeText: Readonly<Record<LockMode, Fragment>> = {
  'for key share': sql`for key share`,
  'for share': sql`for share`,
  'for no key update': sql`for no key update`,
  'for update': sql`for update`,
};
