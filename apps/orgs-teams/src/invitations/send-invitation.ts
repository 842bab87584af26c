import type { SignedLinks } from '@platform/files';
import { defineTask, type JobContext } from '@platform/jobs';
import { type Letter, type Mailer, sendMail } from '@platform/mail';
import { type Database, sql } from '@platform/postgres';
import { momentOf } from '../mail-links/letters.ts';
import { findInvitation } from './store.ts';

/** Mails an invitation to the owner of a new organization. Temporary failures of the mail server are retried. */
export const sendInvitation = defineTask<{ userId: number; organizationId: number }>('send-invitation');

/** Sends the mail, unless the invitation was accepted or has expired, or the user or the organization is gone. */
export async function sendInvitationMail(
  { database, mailer, links }: { readonly database: Database; readonly mailer: Mailer; readonly links: SignedLinks },
  { userId, organizationId }: { readonly userId: number; readonly organizationId: number },
  job: JobContext,
): Promise<void> {
  const invitation = await findInvitation(database, userId);
  const organization = await database.maybeOne(sql<{ name: string }>`
    select name from account where id = ${organizationId} and kind = 'organization'`, { deadline: job.deadline });
  if (invitation === undefined || organization === undefined) return;
  const { name, email, expiresAt, isAccepted } = invitation;
  if (isAccepted || expiresAt.getTime() <= Date.now()) return;
  const link = links.sign(String(userId), expiresAt.getTime() / 1000);
  const letter = invitationLetter({ name, organization: organization.name, expiresAt, link });
  await sendMail(mailer, { id: `invitation/${userId}`, to: email, letter }, job);
}

function invitationLetter(
  { name, organization, expiresAt, link }: { name: string; organization: string; expiresAt: Date; link: string },
): Letter {
  return {
    subject: `You own the organization ${organization}`,
    blocks: [
      { paragraph: 'Hello,' },
      {
        paragraph: `the organization ${organization} was created for you, with the user ${name} as its owner. `
          + 'Open the link to get an access token. The link can be used once: do not pass it on.',
      },
      { facts: { 'User': name, 'Organization': organization, 'Valid until': momentOf(expiresAt) } },
      { link, text: 'Accept the invitation' },
      { paragraph: 'You get this message because an administrator of the platform entered your address.' },
    ],
  };
}
