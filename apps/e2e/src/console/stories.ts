import { deepEqual } from 'node:assert/strict';
import type { SeededRandom } from '@platform/testing';
import type { Host } from '../platform.ts';
import type { ConsoleWorld } from './console-world.ts';
import { Interruption, type Kill } from './interruption.ts';
import { operatorManagesClusters } from './story-clusters.ts';
import { siteAdminMakesClients } from './story-clients.ts';
import { financeLooksAtQuotas, financeLooksAtUsage } from './story-finance.ts';
import { ownerImportsClusters } from './story-imports.ts';
import { operatorRegistersMetrics } from './story-metrics.ts';
import { newcomerBegins } from './story-newcomer.ts';
import { siteAdminLooksAtChanges, siteAdminOperates } from './story-operates.ts';
import { ownerGivesRoles, personLooksAtOwnThings } from './story-owner.ts';
import { siteAdminPresents } from './story-presents.ts';
import { siteAdminSells } from './story-sells.ts';

export interface Story {
  readonly name: string;
  readonly walk: (world: ConsoleWorld) => Promise<void>;
  /** Number of acts, from which one is drawn before the story begins. */
  readonly acts: number;
  /** Services that the story cannot do without, besides the gateway. */
  readonly needs: readonly Host[];
}

const organizations: readonly Host[] = ['orgs-teams', 'authz'];
const billing = 'billing-dashboard';

/** The order matters: some stories expect that a thing does not exist yet. */
export const stories: readonly Story[] = [
  { name: 'a newcomer begins', walk: newcomerBegins, acts: 14, needs: organizations },
  { name: 'a site admin sells', walk: siteAdminSells, acts: 44, needs: ['contracts-licensing', 'clusters'] },
  { name: 'an owner gives roles', walk: ownerGivesRoles, acts: 42, needs: organizations },
  { name: 'a person looks at their own things', walk: personLooksAtOwnThings, acts: 23, needs: ['orgs-teams'] },
  { name: 'finance looks at usage', walk: financeLooksAtUsage, acts: 6, needs: [billing] },
  { name: 'finance looks at quotas', walk: financeLooksAtQuotas, acts: 1, needs: ['contracts-licensing', billing] },
  { name: 'an operator manages clusters', walk: operatorManagesClusters, acts: 25, needs: ['clusters', 'authz'] },
  { name: 'a site admin makes clients', walk: siteAdminMakesClients, acts: 15, needs: ['clusters', 'orgs-teams'] },
  { name: 'an operator registers metrics', walk: operatorRegistersMetrics, acts: 10, needs: ['metricsproxy'] },
  { name: 'an owner imports clusters', walk: ownerImportsClusters, acts: 13, needs: ['clusters'] },
  { name: 'a site admin operates', walk: siteAdminOperates, acts: 18, needs: [billing, 'marketplace-listener'] },
  { name: 'a site admin looks at changes', walk: siteAdminLooksAtChanges, acts: 5, needs: ['orgs-teams'] },
  { name: 'a site admin presents', walk: siteAdminPresents, acts: 13, needs: ['orgs-teams'] },
];

export function drawKill({ acts, needs }: Story, random: SeededRandom): Kill {
  return { service: random.pick([...needs, 'gateway'] as const), act: random.integer(1, acts) };
}

/**
 * Runs a story to its end. If `kill` is given, that service is killed and restarted during the story.
 *
 * @returns what the page showed while the service was unavailable
 * @throws the failure of the story, after saving screenshots of its browsers
 */
export async function walk(world: ConsoleWorld, { name, walk: begin, acts }: Story, kill?: Kill) {
  const interruption = new Interruption(world.platform.services, kill);
  world.actAround(interruption.around);
  try {
    await begin(world);
    await interruption.end();
  } catch (error) {
    await world.keepPictures(name);
    throw error;
  }
  deepEqual({ name, acts: interruption.acts }, { name, acts });
  return interruption;
}
