import { defineTask } from '@platform/jobs';

export const settleContractsJob = defineTask<{ subscriptionId: number }>('settle-contracts');

export const sendAlert = defineTask<{
  subscriptionId: number;
  /** Id of the audit entry of the alert. A repeated mail has the same `Message-ID`, which is made from this id. */
  entryId: number;
  reason: string;
  to: string;
}>('send-alert');

export const fetchResourceGroup = defineTask<{ subscriptionId: number }>('fetch-resource-group');

/** Delay before a job starts, in milliseconds. Until then, the request that added the job tries to do the work. */
const takenUpMs = 5_000;

/** The job that creates or revokes the contracts of a subscription, unless this is already done. */
export function settleLater(subscriptionId: number) {
  return settleContractsJob({ subscriptionId }, { key: `settle-contracts/${subscriptionId}`, afterMs: takenUpMs });
}

/** The job that fetches the resource group of an application, unless the group is already stored. */
export function fetchGroupLater(subscriptionId: number) {
  return fetchResourceGroup({ subscriptionId }, { key: `fetch-resource-group/${subscriptionId}`, afterMs: takenUpMs });
}
