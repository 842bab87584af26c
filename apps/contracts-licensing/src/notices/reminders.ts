import { addJobs } from '@platform/jobs';
import { type Database, type Fragment, sql } from '@platform/postgres';
import type { Deadline } from '@platform/service';
import { insertEvents, noteOnce, system } from '../contracts/events.ts';
import { sendReminder } from './mails.ts';

interface DueReminder {
  readonly contractId: number;
  readonly days: 45 | 10;
  /** Unix seconds. */
  readonly endsAt: number;
  readonly contacts: readonly string[];
}

/**
 * Creates jobs that remind the contacts of a contract 45 and 10 days before its end (open-points 5.1). If the end
 * changes, reminders of the new end are sent. A late reminder is sent until the next reminder is due or the contract
 * ends. A reminder that was due before the contract was created, or before its end was changed, is not sent.
 */
export async function remindOfEnds(database: Database, deadline: Deadline): Promise<void> {
  for (const { contractId } of await database.query(dueReminders(sql`true`), { deadline })) {
    await database.transact(async (transaction) => {
      // The contract may have changed since it was read.
      const due = await transaction.maybeOne(sql<DueReminder>`
        ${dueReminders(sql`contract.id = ${contractId}`)} for share of contract`);
      if (due === undefined) return;
      const { days, endsAt, contacts } = due;
      if (!(await noteOnce(transaction, contractId, `reminder.sent ${days}`, String(endsAt)))) return;
      await insertEvents(transaction, system, [{ contractId, event: `reminder.sent ${days}` }]);
      await addJobs(transaction, contacts.map((to) => sendReminder({ contractId, days, endsAt, to })));
    }, { deadline });
  }
}

/**
 * Adds rows to `contract_notice` 45 and 10 days before the end of each contract that is not revoked, even if the
 * contract has no contacts. A trigger on the table creates webhook events (ADR 0270).
 */
export async function noteEnds(database: Database, deadline: Deadline): Promise<void> {
  await database.execute(sql`
    with due as materialized (${dueNotices('contract.ending', sql`true`)} for share of contract)
    insert into contract_notice (contract_id, event, period)
    select "contractId", 'contract.ending ' || days, "endsAt"::text from due
        on conflict do nothing`, { deadline });
}

/**
 * Sets `end_noted_at` of licences that have at most 10 days and at most a tenth of their validity left. Skips a licence
 * if another licence for the same cluster, owner and contract ends later. A trigger on `licence` creates a webhook
 * event for each change (ADR 0270).
 */
export async function noteEndingLicences(database: Database, deadline: Deadline): Promise<void> {
  await database.execute(sql`
    update licence set end_noted_at = now()
     where end_noted_at is null and not_after between now() and now() + interval '10 days'
       and not_after - (not_after - not_before) / 10 <= now()
       and not exists (
         select from licence later
          where later.cluster_uid = licence.cluster_uid and later.owner_id = licence.owner_id
            and later.contract_id is not distinct from licence.contract_id and later.not_after > licence.not_after
       )`, { deadline });
}

function dueReminders(which: Fragment) {
  return dueNotices('reminder.sent', sql`${which} and contact_person <> '{}'`);
}

/**
 * Selects the contracts for which a notice is due and is not yet in `contract_notice`. Notices are due 45 and 10 days
 * before the end of a contract. Revoked contracts get no notice.
 */
function dueNotices(event: 'reminder.sent' | 'contract.ending', which: Fragment) {
  return sql<DueReminder>`
    select contract.id as "contractId", reminder.days, extract(epoch from ends_at)::bigint as "endsAt",
           contact_person as "contacts"
      from contract
      join (values (45, 10), (10, 0)) as reminder (days, next)
        on ends_at - reminder.days * interval '24 hours' between coalesce(end_moved_at, created_at) and now()
       and now() < ends_at - reminder.next * interval '24 hours'
     where ${which} and revoked_at is null
       and not exists (
         select from contract_notice
          where contract_id = contract.id and event = ${event} || ' ' || reminder.days
            and period = extract(epoch from ends_at)::bigint::text
       )
     order by contract.id`;
}
