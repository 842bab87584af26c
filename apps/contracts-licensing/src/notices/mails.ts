import { defineTask } from '@platform/jobs';

/** Reminds one contact of the end of a contract. */
export const sendReminder = defineTask<{
  contractId: number;
  days: 45 | 10;
  /** Unix seconds: of another end there are other reminders. */
  endsAt: number;
  to: string;
}>('send-reminder');

/** Mails one address that a threshold of a quota is reached. */
export const sendQuotaAlert = defineTask<{
  contractId: number;
  /** Percentage. */
  threshold: number;
  /** Of the quota; absent: clusters. */
  metric?: string;
  /** Clusters, core-months or GiB-months. */
  used: number;
  /** `2026-11` */
  month: string;
  to: string;
}>('send-quota-alert');
