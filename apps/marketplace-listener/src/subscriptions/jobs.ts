import { defineTask } from '@platform/jobs';

/** Creates or revokes the contracts of a subscription, as its row demands. */
export const settleContractsJob = defineTask<{ subscriptionId: number }>('settle-contracts');

/** Sends an alert about a subscription to one address. */
export const sendAlert = defineTask<{
  subscriptionId: number;
  /** Identifies the alert, so that the same mail is not sent twice. */
  entryId: number;
  reason: string;
  to: string;
}>('send-alert');

/** Asks provider B which resource group it manages for an application. */
export const fetchResourceGroup = defineTask<{ subscriptionId: number }>('fetch-resource-group');

/** Delay after which a job takes over the work of the request that caused it, in milliseconds. */
const takenUpMs = 5_000;

/** The job for a request that changes the wanted state of contracts. It continues if the request fails. */
export function settleLater(subscriptionId: number) {
  return settleContractsJob({ subscriptionId }, { key: `settle-contracts/${subscriptionId}`, afterMs: takenUpMs });
}

/** The job for a PUT. It continues if the request fails. */
export function fetchGroupLater(subscriptionId: number) {
  return fetchResourceGroup({ subscriptionId }, { key: `fetch-resource-group/${subscriptionId}`, afterMs: takenUpMs });
}
