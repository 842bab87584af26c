import type { Database } from '@platform/postgres';
import { type Deadline, shrink } from '@platform/service';
import { longestCallMs } from '../providers/provider-http.ts';
import { findApplicationWithoutGroup, setResourceGroup } from './store.ts';

/** What knows the resource groups that provider B manages. */
export interface Applications {
  /** Undefined: there is no such application. */
  managedResourceGroupOf(applicationId: string, deadline: Deadline): Promise<string | undefined>;
}

/**
 * Asks provider B for the resource group of a subscription that has none (open-points 11.2). Without client credentials
 * it stays empty, and so it does while the provider knows no such application: its next PUT asks again.
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
  const group = await applications.managedResourceGroupOf(applicationId, shrink(deadline, longestCallMs));
  if (group === undefined) return;
  await setResourceGroup(database, subscriptionId, group, { deadline });
}
