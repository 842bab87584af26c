import type { Database } from '@platform/postgres';
import { type Deadline, shrink } from '@platform/service';
import { findApplicationWithoutGroup, setResourceGroup } from './store.ts';

/** What knows the resource groups that provider B manages. */
export interface Applications {
  managedResourceGroupOf(applicationId: string, deadline: Deadline): Promise<string>;
}

/** How long one call of a marketplace may take, in milliseconds (open-points 1.9). */
const callMs = 10_000;

/**
 * Asks provider B for the resource group of a subscription that has none (open-points 11.2). Without client credentials
 * it stays empty.
 * @throws what the provider answers; it may be tried again
 */
export async function fetchGroup(
  { database, applications }: { readonly database: Database; readonly applications: Applications | undefined },
  subscriptionId: number,
  { deadline }: { readonly deadline: Deadline },
): Promise<void> {
  if (applications === undefined) return;
  const applicationId = await findApplicationWithoutGroup(database, subscriptionId, { deadline });
  if (applicationId === undefined) return;
  const group = await applications.managedResourceGroupOf(applicationId, shrink(deadline, callMs));
  await setResourceGroup(database, subscriptionId, group, { deadline });
}
