import { defineTask, type JobContext } from '@platform/jobs';
import { type Letter, type Mailer, sendMail } from '@platform/mail';
import type { Database } from '@platform/postgres';
import type { Config } from '../config.ts';
import { codeHash, codeSeconds, insertCode } from '../sessions/codes.ts';
import { newToken } from '../standing/access-token.ts';
import type { ReadLetterBrand } from './letter-brand.ts';
import { accountExistsLetter, signInLetter, signUpLetter } from './letters.ts';
import { findHolders, noteMail } from './requests.ts';

/**
 * Mails the answer to a request for a link. This task looks up the accounts of the address. The HTTP handler does not,
 * so that its response cannot reveal whether an account exists.
 */
export const answerSignInRequest = defineTask<{ requestId: number }>('answer-sign-in-request');

export interface MailParts {
  readonly config: Config;
  readonly database: Database;
  readonly mailer: Mailer;
  readonly brand: ReadLetterBrand;
}

/** Log message when the limit of mails per address and hour prevents a mail (open-points 18.3). */
export const heldBack = 'a mail was not sent: its address has reached the limit of mails of this kind per hour';

interface Addressed {
  readonly to: string;
  /** Id of the account that a sign-in mail is for; 0 for other mails. It distinguishes the mails of one run. */
  readonly whose: number;
  readonly letter: Letter;
}

/**
 * Sends the mails for a request. Each run creates new codes, because only hashes of codes are stored. A run does not
 * delete the codes of earlier runs.
 */
export async function answerRequest(
  { config, database, mailer, brand: readBrand }: MailParts,
  { requestId }: { readonly requestId: number },
  job: JobContext,
): Promise<void> {
  const brand = await readBrand(job.deadline);
  const mails = await database.transact(async (work): Promise<Addressed[]> => {
    const request = await noteMail(work, requestId);
    if (request === undefined) return [];
    if (request === 'held back') {
      job.log.warn({ signInRequestId: requestId }, heldBack);
      return [];
    }
    // Put the code in the fragment of the URL. Browsers do not send fragments to servers or in the header `Referer`.
    const insertLink = async (of: { readonly accountId?: number } = {}) => {
      const { kind, browser } = request;
      const code = newToken();
      const hash = codeHash(config.tokenKey, kind, code, browser);
      await insertCode(work, { kind, hash, seconds: codeSeconds[kind], requestId, ...of });
      return `${config.baseUrl}/sign-in#${kind}=${code}`;
    };
    const holders = await findHolders(work, request.email);
    if (request.kind === 'mail') {
      const usable = holders.filter(({ isUsable }) => isUsable);
      return Promise.all(usable.map(async ({ id, name, email }) => {
        const facts = { brand, link: await insertLink({ accountId: id }) };
        return { to: email, whose: id, letter: signInLetter(facts, name) };
      }));
    }
    const [first] = holders;
    if (first === undefined) {
      const letter = signUpLetter({ brand, link: await insertLink() }, request.username);
      return [{ to: request.email, whose: 0, letter }];
    }
    const facts = { brand, link: `${config.baseUrl}/sign-in` };
    return [{ to: first.email, whose: 0, letter: accountExistsLetter(facts, holders.map(({ name }) => name)) }];
  }, { deadline: job.deadline });
  for (const { to, whose, letter } of mails) {
    await sendMail(mailer, { id: `sign-in/${requestId}/${whose}/${job.attempt}`, to, letter }, job);
  }
}
