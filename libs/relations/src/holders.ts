import type { RelationRow } from './relation-row.ts';

/** The ranks that hold relations through an organization, lowest first (open-points 2.2). */
const ranks = ['member', 'viewer', 'editor', 'admin', 'owner', 'site_admin'] as const;

export type Rank = (typeof ranks)[number];

/**
 * Returns whether a rank gives a relation without a role. Neither membership of the team itself nor `branding_editor`
 * is considered.
 * @param ownersTeam whether the object is the Owners team
 */
export function holdsBy(row: RelationRow, rank: Rank, ownersTeam = false): boolean {
  if (rank === 'site_admin') return true;
  const lowest = (ownersTeam ? row.ownersTeam : undefined) ?? row.lowest;
  const needed = (ranks as readonly string[]).indexOf(lowest);
  return needed >= 0 && ranks.indexOf(rank) >= needed;
}
