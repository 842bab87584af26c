import type { Database } from '@platform/postgres';
import { type Deadline, shrink } from '@platform/service';
import { longestCallMs } from '../providers/provider-http.ts';
import { findApplicationWithoutGroup, setResourceGroup } from './store.ts';

/** Reads the resource groups that provider B manages. */
export interface Applications {
  /** Undefined if there is no such application. */
  managedResourceGroupOf(applicationId: string, deadline: Deadline): Promise<string | undefined>;
}

/**
 * Asks provider B for the resource group of a subscription that has none (open-points 11.2). Without client
 * credentials, the group stays empty. If the provider does not know the application yet, the group stays empty until
 * the next PUT.
 * @throws the error of the provider; the call may be repeated
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
