import type { RelationRow } from './relation-row.ts';

/** All ranks, lowest first. Each rank also holds the relations of the lower ranks (open-points 2.2). */
const ranks = ['member', 'viewer', 'editor', 'admin', 'owner', 'site_admin'] as const;

export type Rank = (typeof ranks)[number];

/**
 * Returns whether a rank alone gives a relation. Ignores roles and `teamMembers`. If `lowest` of the row is not a rank,
 * `site_admin` is the only rank that gives the relation.
 * @param ownersTeam whether the object is the Owners team
 */
export function holdsBy(row: RelationRow, rank: Rank, ownersTeam = false): boolean {
  if (rank === 'site_admin') return true;
  const lowest = (ownersTeam ? row.ownersTeam : undefined) ?? row.lowest;
  const needed = (ranks as readonly string[]).indexOf(lowest);
  return needed >= 0 && ranks.indexOf(rank) >= needed;
}
