import { defineTask } from '@platform/jobs';

export const sendReminder = defineTask<{
  contractId: number;
  days: 45 | 10;
  /** The end of the contract, in Unix seconds. If the end has changed, the mail is not sent. */
  endsAt: number;
  to: string;
}>('send-reminder');

export const sendQuotaAlert = defineTask<{
  contractId: number;
  /** The threshold that was reached, in per cent of the limit. */
  threshold: number;
  /** Metric of the quota. If absent, the metric is `clusters`. */
  metric?: string;
  /** Amount used when the threshold was reached, in the unit of `metric`: clusters, core-months or GiB-months. */
  used: number;
  /** Limit of the quota when the threshold was reached. If the limit has been raised since, the mail is not sent. */
  limit?: number;
  /** `2026-11` */
  month: string;
  to: string;
}>('send-quota-alert');
