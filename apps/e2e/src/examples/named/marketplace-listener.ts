import { claimsOf } from '../../marketplace/marketplace-world.ts';
import { specCall } from '../../operator.ts';
import type { World } from '../../orgs/world.ts';
import type { ExampleOrganization } from '../example-world.ts';

/** A standalone organization that can be claimed, and is asked about. */
export async function nameMarketplace(world: World, { names }: Pick<ExampleOrganization, 'names'>): Promise<void> {
  await using claims = await claimsOf(world.platform);
  const claimId = names.text('W5D8T2RJ9XQ4ZK7M3YBV6NHC1P');
  const username = names.text('umbrella');
  await claims.putClaim({ claimId, username, fullName: 'Umbrella', claimable: true }, specCall());
  names.openly('W5D8T2RJ9XQ4ZK7M3YBV6NHC1P', claimId);
}
