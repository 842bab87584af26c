import { addJobs, defineTask, type JobContext } from '@platform/jobs';
import { sendMail } from '@platform/mail';
import { type Database, sql } from '@platform/postgres';
import { tokenEndsLetter } from '../mail-links/letters.ts';
import type { MailParts } from '../mail-links/answer-request.ts';
import { laterClock } from '../standing/clock.ts';

/** Sends a mail to a user whose access token expires soon. */
export const sendTokenEnd = defineTask<{ tokenId: number }>('send-token-end');

/** How long before the end of a token the mail is sent, in days. */
const daysBefore = 7;
/** Maximum number of mail jobs that one call of {@link mailEndingTokens} adds. */
const mostAtOnce = 500;

/**
 * Finds users' access tokens that end within 7 days. Marks each token and adds one mail job for it. Skips tokens with a
 * lifetime of at most 7 days, and tokens that are bound to a scope. Also skips users who may not sign in or have no
 * address.
 */
export async function mailEndingTokens(database: Database, { deadline }: JobContext): Promise<void> {
  await database.transact(async (work) => {
    const ending = await work.query(sql<{ id: number }>`
      update access_token set end_mailed_at = now()
       where id in (
         select token.id from access_token token
           join account on account.id = token.account_id
          where token.kind = 'token' and token.scope = '' and token.account_kind = 'person'
            and token.end_mailed_at is null
            and token.expires_at > ${laterClock()}
            and token.expires_at <= now() + ${daysBefore}::double precision * interval '1 day'
            and token.created_at < token.expires_at - ${daysBefore}::double precision * interval '1 day'
            and account.active and not account.prohibit_login and account.email <> ''
          order by token.id limit ${mostAtOnce}
            for no key update of token skip locked
       )
      returning id`);
    await addJobs(work, ending.map(({ id }) => sendTokenEnd({ tokenId: id })));
  }, { deadline });
}

/** Sends the mail. Does nothing if the token has ended, or if its owner may not sign in or has no address. */
export async function sendTokenEndMail(
  { config, database, mailer, brand: readBrand }: MailParts, { tokenId }: { readonly tokenId: number }, job: JobContext,
): Promise<void> {
  const token = await database.maybeOne(sql<{
    name: string; lastEight: string; expiresAt: Date; login: string; email: string;
  }>`
    select token.name, token.last_eight as "lastEight", token.expires_at as "expiresAt", account.name as "login",
           account.email
      from access_token token join account on account.id = token.account_id
     where token.id = ${tokenId} and token.expires_at > ${laterClock()}
       and account.active and not account.prohibit_login and account.email <> ''`, { deadline: job.deadline });
  if (token === undefined) return;
  const brand = await readBrand(job.deadline);
  const letter = tokenEndsLetter({ brand, link: `${config.baseUrl}/account` }, token);
  await sendMail(mailer, { id: `token-end/${tokenId}`, to: token.email, letter }, job);
}
