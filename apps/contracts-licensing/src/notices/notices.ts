import type { Jobs } from '@platform/jobs';
import { type Mailer, sendMail } from '@platform/mail';
import { type Database, type Fragment, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import type { Products } from '../products/products.ts';
import { type LetterContract, quotaLetter, reminderLetter } from './letters.ts';
import { sendQuotaAlert, sendReminder } from './mails.ts';
import { noteEndingLicences, noteEnds, remindOfEnds } from './reminders.ts';
import { noteThresholds } from './thresholds.ts';

/**
 * Interval of the checks, in milliseconds. Thresholds must be noticed within 60 s, and due reminders within an hour
 * (open-points 5.7).
 */
const everyMs = 30_000;

/**
 * Checks contracts and licences on a schedule. Sends mails about contracts, with one job for each address. A job sends
 * nothing if the contract was deleted or revoked. A reminder is not sent if the end has changed or passed. A quota
 * alert is not sent if the quota was disabled, has another metric, or was raised.
 */
export function notices(
  database: Database, products: Products, mailer: Mailer, baseUrl: string,
): Required<Pick<Jobs, 'tasks' | 'schedules'>> {
  return {
    tasks: [
      sendReminder.handledBy(async ({ contractId, days, endsAt, to }, job) => {
        const still = sql`ends_at = to_timestamp(${endsAt}) and ends_at > now()`;
        const contract = await readLetterContract(database, products, contractId, still, job.deadline);
        if (contract === undefined) return;
        const letter = reminderLetter(contract, new Date(), baseUrl);
        await sendMail(mailer, { id: `reminder/${contractId}/${endsAt}/${days}`, to, letter }, job);
      }),
      sendQuotaAlert.handledBy(async ({ contractId, threshold, metric = 'clusters', used, limit, month, to }, job) => {
        const still = sql`quota_enabled and quota_metric = ${metric}
          and quota_limit <= ${limit ?? Number.MAX_VALUE}`;
        const contract = await readLetterContract(database, products, contractId, still, job.deadline);
        if (contract === undefined) return;
        const letter = quotaLetter(contract, { threshold, used }, baseUrl);
        await sendMail(mailer, { id: `quota/${contractId}/${month}/${threshold}`, to, letter }, job);
      }),
    ],
    schedules: [{
      name: 'contract-notices',
      everyMs,
      run: async ({ deadline }) => {
        await noteEnds(database, deadline);
        await noteEndingLicences(database, deadline);
        await remindOfEnds(database, deadline);
        await noteThresholds(database, deadline);
      },
    }],
  };
}

async function readLetterContract(
  database: Database, products: Products, contractId: number, still: Fragment, deadline: Deadline,
): Promise<LetterContract | undefined> {
  const row = await database.maybeOne(sql<LetterContract>`
    select contract.id as "contractId", name, product, coalesce(account.slug, '') as "owner", ends_at as "endsAt",
           (select count(*) from contract_cluster where contract_id = contract.id) as "clusters",
           quota_blocks_licences as "stopsAtLimit", quota_metric as "metric", quota_limit as "limit"
      from contract
      left join account on account.id = contract.owner_id
     where contract.id = ${contractId} and revoked_at is null and ${still}`, { deadline });
  return row && { ...row, product: products.get(row.product)?.displayName ?? row.product };
}
