import { addJobs } from '@platform/jobs';
import type { Letter } from '@platform/mail';
import { type Queryable, sql } from '@platform/postgres';
import { insertAudit } from '../audit/store.ts';
import { sendAlert } from './jobs.ts';

/**
 * Notes an alert, and adds a job for the mail to each address (open-points 11.8). Does nothing without addresses. Call
 * this in the transaction of the change that causes the alert.
 */
export async function alert(
  queryable: Queryable, subscriptionId: number, addresses: readonly string[], reason: string,
): Promise<void> {
  if (addresses.length === 0) return;
  const entryId = await insertAudit(queryable, subscriptionId, {
    operation: 'alert', status: 'success', description: reason, data: { recipients: addresses.length },
  });
  await queryable.execute(sql`
    update subscription set alerts = alerts + 1, last_alert_at = now() where id = ${subscriptionId}`);
  await addJobs(queryable, addresses.map((to) => sendAlert({ subscriptionId, entryId, reason, to })));
}

interface LetterSubscription {
  readonly marketplace: string;
  readonly publicId: string;
  readonly state: string;
  /** Name of the installer; empty if the subscription has no installer. */
  readonly installer: string;
}

export function alertLetter(subscription: LetterSubscription, reason: string, baseUrl: string): Letter {
  const { marketplace, publicId, state, installer } = subscription;
  const facts = { 'Subscription': publicId, 'Marketplace': marketplace, 'State': state };
  return {
    subject: `Marketplace subscription ${publicId}: ${reason}`,
    blocks: [
      { paragraph: 'Hello,' },
      { paragraph: `the subscription ${publicId} of ${marketplace} needs attention: ${reason}` },
      { facts: installer === '' ? facts : { ...facts, 'Installer': installer } },
      { link: baseUrl, text: 'Open the platform' },
      { paragraph: 'You get this message because your address is listed for marketplace alerts.' },
    ],
  };
}

export function readLetterSubscription(queryable: Queryable, id: number): Promise<LetterSubscription | undefined> {
  return queryable.maybeOne(sql<LetterSubscription>`
    select subscription.marketplace, subscription.public_id as "publicId", state,
           coalesce(installer.name, '') as "installer"
      from subscription left join installer on installer.id = subscription.installer_id
     where subscription.id = ${id}`);
}
