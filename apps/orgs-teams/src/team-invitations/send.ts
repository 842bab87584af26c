import { defineTask, type JobContext } from '@platform/jobs';
import { sendMail } from '@platform/mail';
import { heldBack, type MailParts } from '../mail-links/answer-request.ts';
import { invitationLetter } from '../mail-links/letters.ts';
import { codeHash, codeSeconds, deleteCodesBefore, insertCode } from '../sessions/codes.ts';
import { newToken } from '../standing/access-token.ts';
import { noteInvitationMail } from './store.ts';

/** The invitation to mail. Renewing an invitation sets a new `madeAt` and adds another job. */
interface InvitationToMail {
  readonly invitationId: number;
  readonly madeAt: string;
}

/**
 * Mails the link of an invitation. Each run of a job creates a new link, because only the hash of the code in a link is
 * stored. Links of earlier runs for the same `madeAt` stay valid.
 */
export const sendTeamInvitation = defineTask<InvitationToMail>('send-team-invitation');

export async function sendTeamInvitationMail(
  { config, database, mailer, brand: readBrand }: MailParts, toMail: InvitationToMail, job: JobContext,
): Promise<void> {
  const { invitationId, madeAt } = toMail;
  const brand = await readBrand(job.deadline);
  const code = newToken();
  const invitation = await database.transact(async (work) => {
    const noted = await noteInvitationMail(work, toMail);
    if (noted === undefined || noted === 'held back') return noted;
    await deleteCodesBefore(work, invitationId, madeAt);
    const hash = codeHash(config.tokenKey, 'invitation', code);
    await insertCode(work, { kind: 'invitation', hash, invitationId, seconds: codeSeconds.invitation });
    return noted;
  }, { deadline: job.deadline });
  if (invitation === undefined) return;
  if (invitation === 'held back') {
    job.log.warn({ invitationId }, heldBack);
    return;
  }
  const link = `${config.baseUrl}/sign-in#invitation=${code}`;
  const letter = invitationLetter({ brand, link }, invitation);
  // Each run sends another link, so each mail has its own id.
  const id = `team-invitation/${invitationId}/${job.requestId}/${job.attempt}`;
  await sendMail(mailer, { id, to: invitation.email, letter }, job);
}
