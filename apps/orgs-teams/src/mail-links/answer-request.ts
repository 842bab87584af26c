import { defineTask, type JobContext } from '@platform/jobs';
import { type Letter, type Mailer, sendMail } from '@platform/mail';
import type { Database, Queryable } from '@platform/postgres';
import type { Config } from '../config.ts';
import { codeHash, type CodeKind, codeSeconds, insertCode } from '../sessions/codes.ts';
import { newToken } from '../standing/access-token.ts';
import type { ReadLetterBrand } from './letter-brand.ts';
import { accountExistsLetter, signInLetter, signUpLetter } from './letters.ts';
import { findHolders, noteMail, type SignInRequest } from './requests.ts';

/** Answers a request for a link. Only this job looks up accounts of the address, so no HTTP response reveals them. */
export const answerSignInRequest = defineTask<{ requestId: number }>('answer-sign-in-request');

export interface MailParts {
  readonly config: Config;
  readonly database: Database;
  readonly mailer: Mailer;
  readonly brand: ReadLetterBrand;
}

/** Log message when an address has received the maximum number of mails within an hour (open-points 18.3). */
export const heldBack = 'a mail was not sent: the address has reached its limit of such mails within the hour';

interface Addressed {
  readonly to: string;
  /** Id of the account for which the mail is; 0 for a mail to an address. It distinguishes the mails of one run. */
  readonly whose: number;
  readonly letter: Letter;
}

/**
 * Sends the mails for a request. Each run makes new links, because only hashes of codes are stored. The links of an
 * earlier run stay valid until they expire.
 */
export async function answerRequest(
  parts: MailParts, { requestId }: { readonly requestId: number }, job: JobContext,
): Promise<void> {
  const brand = await parts.brand(job.deadline);
  const mails = await parts.database.transact(async (work): Promise<Addressed[]> => {
    const request = await noteMail(work, requestId);
    if (request === undefined) return [];
    if (request === 'held back') {
      job.log.warn({ signInRequestId: requestId }, heldBack);
      return [];
    }
    const link = (of: Pick<NewLink, 'kind' | 'accountId'>) => insertLink(parts, work, { requestId, request, ...of });
    const holders = await findHolders(work, request.email);
    if (request.kind === 'mail') {
      const usable = holders.filter(({ isUsable }) => isUsable);
      return Promise.all(usable.map(async ({ id, name, email }) => {
        const facts = { brand, link: await link({ kind: 'mail', accountId: id }) };
        return { to: email, whose: id, letter: signInLetter(facts, name) };
      }));
    }
    const [first] = holders;
    if (first === undefined) {
      const letter = signUpLetter({ brand, link: await link({ kind: 'sign-up' }) }, request.username);
      return [{ to: request.email, whose: 0, letter }];
    }
    const facts = { brand, link: `${parts.config.baseUrl}/sign-in` };
    return [{ to: first.email, whose: 0, letter: accountExistsLetter(facts, holders.map(({ name }) => name)) }];
  }, { deadline: job.deadline });
  for (const { to, whose, letter } of mails) {
    await sendMail(parts.mailer, { id: `sign-in/${requestId}/${whose}/${job.attempt}`, to, letter }, job);
  }
}

interface NewLink {
  readonly kind: CodeKind;
  readonly requestId: number;
  readonly request: SignInRequest;
  readonly accountId?: number;
}

/**
 * Stores a new code and returns its link. The code is in the fragment of the URL, so that no server and no `Referer`
 * header gets the code before the console posts it.
 */
async function insertLink(
  { config }: Pick<MailParts, 'config'>, queryable: Queryable, { kind, request, ...of }: NewLink,
): Promise<string> {
  const code = newToken();
  const hash = codeHash(config.tokenKey, kind, code, request.browser);
  await insertCode(queryable, { kind, hash, seconds: codeSeconds[kind], ...of });
  return `${config.baseUrl}/sign-in#${kind}=${code}`;
}
