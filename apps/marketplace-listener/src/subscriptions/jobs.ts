import { defineTask } from '@platform/jobs';

/** Makes or revokes the contracts of a subscription, as its row says. */
export const settleContractsJob = defineTask<{ subscriptionId: number }>('settle-contracts');

/** Sends an alert about a subscription to one address. */
export const sendAlert = defineTask<{
  subscriptionId: number;
  /** Identifies the alert: a repetition of the mail is the same mail. */
  entryId: number;
  reason: string;
  to: string;
}>('send-alert');

/** Asks provider B which resource group it manages for an application. */
export const fetchResourceGroup = defineTask<{ subscriptionId: number }>('fetch-resource-group');

/** Delay after which a job takes over the work of the request that caused it, in milliseconds. */
const takenUpMs = 5_000;

/** The job behind a request that changes the wanted state of contracts. */
export function settleLater(subscriptionId: number) {
  return settleContractsJob({ subscriptionId }, { key: `settle-contracts/${subscriptionId}`, afterMs: takenUpMs });
}

/** The job behind a PUT. */
export function fetchGroupLater(subscriptionId: number) {
  return fetchResourceGroup({ subscriptionId }, { key: `fetch-resource-group/${subscriptionId}`, afterMs: takenUpMs });
}
