import type { Database } from '@platform/postgres';
import { type Deadline, shrink } from '@platform/service';
import type { Providers } from '../providers/open-providers.ts';
import { longestCallMs } from '../providers/provider-http.ts';
import { findApplicationWithoutGroup, setResourceGroup } from './store.ts';

/**
 * Asks provider B for the resource group of a subscription, and stores the group (open-points 11.2). Asks only if no
 * group is stored and the subscription has not ended. Stores nothing if the provider does not know the application.
 * @throws the errors of `managedResourceGroupOf`; the call may be repeated
 */
export async function fetchGroup(
  { database, applications }: { readonly database: Database; readonly applications: Providers['b'] },
  subscriptionId: number, { deadline }: { readonly deadline: Deadline },
): Promise<void> {
  if (applications === undefined) return;
  const applicationId = await findApplicationWithoutGroup(database, subscriptionId, { deadline });
  if (applicationId === undefined) return;
  const group = await applications.managedResourceGroupOf(applicationId, shrink(deadline, longestCallMs));
  if (group === undefined) return;
  await setResourceGroup(database, subscriptionId, group, { deadline });
}
