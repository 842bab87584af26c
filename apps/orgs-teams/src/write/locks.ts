import { createLocks } from '@platform/writes';

/** The order in which this service locks its rows (authorization.md W1). */
export const locks = createLocks([
  'account', 'team', 'role', { table: 'team_member', key: ['team_id', 'user_id'] }, 'access_token',
]);

export type Lock = Parameters<typeof locks.inOrder>[0][number];

/** The locks that a write can take when it begins (authorization.md W1). */
export const lock = {
  /** For a write that changes an organization or its structure. Excludes other writes that lock the organization. */
  structure: (organizationId: number): Lock => ({ table: 'account', key: organizationId, mode: 'for no key update' }),
  /** For an account that must not change during the write. Writes with this lock do not exclude each other. */
  permission: (organizationId: number): Lock => ({ table: 'account', key: organizationId, mode: 'for share' }),
  /** For a write that changes an account, for example its memberships. Excludes other writes that lock the account. */
  account: (accountId: number): Lock => ({ table: 'account', key: accountId, mode: 'for no key update' }),
  /** For an account that is deleted with everything that belongs to it. */
  removal: (accountId: number): Lock => ({ table: 'account', key: accountId, mode: 'for update' }),
  /** For a write that changes a team, or the members of the team Owners. Only one write at a time holds this lock. */
  team: (teamId: number): Lock => ({ table: 'team', key: teamId, mode: 'for no key update' }),
  /** For a team that must not change during a write of its members or invitations. */
  teamStays: (teamId: number): Lock => ({ table: 'team', key: teamId, mode: 'for share' }),
  teamRemoval: (teamId: number): Lock => ({ table: 'team', key: teamId, mode: 'for update' }),
  role: (roleId: number): Lock => ({ table: 'role', key: roleId, mode: 'for no key update' }),
  roleRemoval: (roleId: number): Lock => ({ table: 'role', key: roleId, mode: 'for update' }),
  membershipRemoval: (teamId: number, userId: number): Lock => ({
    table: 'team_member', key: [teamId, userId], mode: 'for update',
  }),
  tokenRemoval: (tokenId: number): Lock => ({ table: 'access_token', key: tokenId, mode: 'for update' }),
} as const;
