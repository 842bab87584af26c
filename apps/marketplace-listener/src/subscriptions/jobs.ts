import { defineTask } from '@platform/jobs';

export const settleContractsJob = defineTask<{ subscriptionId: number }>('settle-contracts');

export const sendAlert = defineTask<{
  subscriptionId: number;
  /** Identifies the alert, so that the same mail is not sent twice. */
  entryId: number;
  reason: string;
  to: string;
}>('send-alert');

export const fetchResourceGroup = defineTask<{ subscriptionId: number }>('fetch-resource-group');

/** Delay before a job takes over the work of the request that added the job, in milliseconds. */
const takenUpMs = 5_000;

/** The job that creates or revokes the contracts of a subscription, if the request that added the job fails. */
export function settleLater(subscriptionId: number) {
  return settleContractsJob({ subscriptionId }, { key: `settle-contracts/${subscriptionId}`, afterMs: takenUpMs });
}

/** The job that fetches the resource group of an application, if it is not known by then. */
export function fetchGroupLater(subscriptionId: number) {
  return fetchResourceGroup({ subscriptionId }, { key: `fetch-resource-group/${subscriptionId}`, afterMs: takenUpMs });
}
