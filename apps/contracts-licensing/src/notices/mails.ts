import { defineTask } from '@platform/jobs';

/** Reminds one contact of the end of a contract. */
export const sendReminder = defineTask<{
  contractId: number;
  days: 45 | 10;
  /** Unix seconds: another end has its own reminders. */
  endsAt: number;
  to: string;
}>('send-reminder');

/** Mails to one address that a quota has reached a threshold. */
export const sendQuotaAlert = defineTask<{
  contractId: number;
  /** Percentage. */
  threshold: number;
  /** Metric of the quota; absent: clusters. */
  metric?: string;
  /** Clusters, core-months or GiB-months. */
  used: number;
  /** `2026-11` */
  month: string;
  to: string;
}>('send-quota-alert');
