import type { Jobs } from '@platform/jobs';
import { type Mailer, sendMail } from '@platform/mail';
import { baseUrlOf } from '@platform/service';
import { eraseExpired } from './archive/store.ts';
import { makeOwner, makeOwnerJob } from './subscriptions/create-installer.ts';
import { reportUsage } from './metering/bucket-store.ts';
import { closeHours } from './metering/close-hours.ts';
import { reportBucket } from './metering/report-bucket.ts';
import type { Parts } from './parts.ts';
import { deleteOldRows } from './retention.ts';
import { alertLetter, readLetterSubscription } from './subscriptions/alert.ts';
import { fetchGroup } from './subscriptions/fetch-group.ts';
import { fetchResourceGroup, sendAlert, settleContractsJob } from './subscriptions/jobs.ts';
import { settleContracts } from './subscriptions/settle-contracts.ts';

/** Name of the schedule that fetches the address list of provider A, at start and daily (open-points 11.8). */
export const fetchRanges = 'fetch-published-ranges';
const dayMs = 86_400_000;
/** Time limit of the schedule `close-usage-hours`, in milliseconds. One run handles many subscriptions. */
const closingMs = 600_000;

/** The jobs and schedules of this service. */
export function work(parts: Parts, mailer: Mailer): Required<Pick<Jobs, 'tasks' | 'schedules'>> {
  const { database, config } = parts;
  return {
    tasks: [
      settleContractsJob.handledBy(({ subscriptionId }, job) => settleContracts(parts, subscriptionId, job)),
      makeOwnerJob.handledBy(({ installerId }, job) => makeOwner(parts, installerId, job)),
      fetchResourceGroup.handledBy(({ subscriptionId }, job) =>
        fetchGroup({ database, applications: parts.providers.b }, subscriptionId, job)),
      sendAlert.handledBy(async ({ subscriptionId, entryId, reason, to }, job) => {
        const subscription = await readLetterSubscription(database, subscriptionId);
        if (subscription === undefined) return;
        const letter = alertLetter(subscription, reason, baseUrlOf(config));
        await sendMail(mailer, { id: `alert/${entryId}`, to, letter }, job);
      }),
      reportUsage.handledBy(({ bucketId }, job) => reportBucket(parts, bucketId, new Date(), job)),
    ],
    schedules: [
      { name: 'erase-archives', everyMs: 30_000, run: ({ deadline }) => eraseExpired(database, { deadline }) },
      {
        name: 'close-usage-hours', everyMs: 30_000, deadlineMs: closingMs,
        run: (job) => closeHours(parts, new Date(), job),
      },
      { name: fetchRanges, everyMs: dayMs, run: ({ deadline }) => parts.addressList.fetch(deadline) },
      { name: 'retention', everyMs: 3_600_000, run: ({ deadline }) => deleteOldRows(database, deadline) },
    ],
  };
}
