import type { Fragment, Transaction } from '@platform/postgres';
import { sql } from '@platform/postgres';

/** Weakest first. */
const modes = ['for key share', 'for share', 'for no key update', 'for update'] as const;

/** How a row is locked (authorization.md W1). */
export type LockMode = (typeof modes)[number];

/** In the order in which they are locked. */
const tables = ['account', 'team', 'role', 'team_member', 'access_token'] as const;

/** One row to lock. */
export interface Lock {
  readonly table: (typeof tables)[number];
  readonly id: number;
  /** Only for a membership: the user. `id` is then the team. */
  readonly userId?: number;
  readonly mode: LockMode;
}

/** What a write locks first (authorization.md W1). Rows that do not exist are passed over: the act finds that out. */
export const lock = {
  /** An organization whose structure or profile changes. */
  structure: (organizationId: number): Lock => ({ table: 'account', id: organizationId, mode: 'for no key update' }),
  /** An organization by whose permission something else is written: memberships, tokens, its picture. */
  permission: (organizationId: number): Lock => ({ table: 'account', id: organizationId, mode: 'for share' }),
  /** An account whose memberships, flags or profile change. */
  account: (accountId: number): Lock => ({ table: 'account', id: accountId, mode: 'for no key update' }),
  /** An account that goes, with all that is its own. */
  removal: (accountId: number): Lock => ({ table: 'account', id: accountId, mode: 'for update' }),
  /** A team that changes, or Owners whose members change. */
  team: (teamId: number): Lock => ({ table: 'team', id: teamId, mode: 'for no key update' }),
  /** A team that must stay while something else is written: members of it, roles on it. */
  teamStays: (teamId: number): Lock => ({ table: 'team', id: teamId, mode: 'for share' }),
  teamRemoval: (teamId: number): Lock => ({ table: 'team', id: teamId, mode: 'for update' }),
  role: (roleId: number): Lock => ({ table: 'role', id: roleId, mode: 'for no key update' }),
  roleRemoval: (roleId: number): Lock => ({ table: 'role', id: roleId, mode: 'for update' }),
  membershipRemoval: (teamId: number, userId: number): Lock => ({
    table: 'team_member', id: teamId, userId, mode: 'for update',
  }),
  token: (tokenId: number): Lock => ({ table: 'access_token', id: tokenId, mode: 'for no key update' }),
  tokenRemoval: (tokenId: number): Lock => ({ table: 'access_token', id: tokenId, mode: 'for update' }),
} as const;

/**
 * The one order of locks: by table, then ascending, each row once and at once in the strongest mode asked for
 * (authorization.md W1). Two writes that follow it never wait for each other in a circle.
 */
export function lockOrder(locks: readonly Lock[]): Lock[] {
  const strongest = new Map<string, Lock>();
  for (const wanted of locks) {
    const key = `${wanted.table} ${wanted.id} ${wanted.userId ?? 0}`;
    const known = strongest.get(key);
    if (known === undefined || modes.indexOf(known.mode) < modes.indexOf(wanted.mode)) strongest.set(key, wanted);
  }
  return [...strongest.values()].sort(
    (one, other) =>
      tables.indexOf(one.table) - tables.indexOf(other.table)
      || one.id - other.id
      || (one.userId ?? 0) - (other.userId ?? 0),
  );
}

/**
 * Takes the locks in their order; neighbours of one table and mode in one statement, which locks in the order given.
 */
export async function takeLocks(transaction: Transaction, locks: readonly Lock[]): Promise<void> {
  let run: Lock[] = [];
  for (const next of [...lockOrder(locks), undefined]) {
    const first = run[0];
    if (first !== undefined && (next?.table !== first.table || next.mode !== first.mode)) {
      await transaction.query(sql`${rowsOf(first.table, run)} ${modeText[first.mode]}`);
      run = [];
    }
    if (next !== undefined) run.push(next);
  }
}

function rowsOf(table: Lock['table'], locks: readonly Lock[]): Fragment {
  const ids = locks.map(({ id }) => id);
  if (table !== 'team_member') return sql`select from ${sql.identifier(table)} where id = any (${ids}::bigint[]) order by id`;
  const users = locks.map(({ userId }) => userId ?? 0);
  return sql`
    select from team_member
     where (team_id, user_id) in (select * from unnest(${ids}::bigint[], ${users}::bigint[]))
     order by team_id, user_id`;
}

const modeText: Readonly<Record<LockMode, Fragment>> = {
  'for key share': sql`for key share`,
  'for share': sql`for share`,
  'for no key update': sql`for no key update`,
  'for update': sql`for update`,
};
