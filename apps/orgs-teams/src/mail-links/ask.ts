import { sql } from '@platform/postgres';
import type { SignInServiceService, SignUpRequest } from '@platform/proto/orgs/v1/sign_in';
import type { Handler } from '@platform/rpc';
import { emailProblem, fullNameProblem, nameTaken, slugKey, slugProblem, Violations } from '@platform/values';
import type { Parts } from '../parts.ts';
import { browserHash } from '../sessions/codes.ts';
import { hasTokenForm, newToken } from '../standing/access-token.ts';
import type { Work } from '../write/write.ts';
import { answerSignInRequest } from './answer-request.ts';
import { insertRequest, refuseUnlessOpen, type SignInRequest } from './requests.ts';

/**
 * POST /auth/sign-in/mail (open-points 18.3). Stores the request if the address is valid. A job does the other work. So
 * neither the answer nor its duration reveals whether an account has the address.
 */
export function askForSignIn(parts: Parts): Handler<typeof SignInServiceService.askForSignIn> {
  return async ({ email = '', browser: known }, context) => {
    const violations = new Violations();
    violations.note('email', emailProblem(email));
    violations.refuse();
    const browser = browserOf(known);
    const asked = { kind: 'mail', email, username: '', fullName: '' } as const;
    await parts.write(context, [], (work) => putRequest(parts, work, asked, browser));
    return { browser };
  };
}

/**
 * POST /auth/sign-up (open-points 18.3, 18.4). The answer can reveal that a name is taken, because names are public. It
 * does not reveal whether an account has the address.
 */
export function signUp(parts: Parts): Handler<typeof SignInServiceService.signUp> {
  return async (request, context) => {
    refuseInvalid(request);
    const { username = '', email = '', fullName = '' } = request;
    const browser = browserOf(request.browser);
    await parts.write(context, [], async (work) => {
      await refuseUnlessOpen(work, email);
      const { taken } = await work.one(sql<{ taken: boolean }>`
        select exists (select from account where lower(name collate "C") = ${slugKey(username)!}) as taken`);
      if (taken) throw nameTaken(username);
      await putRequest(parts, work, { kind: 'sign-up', email, username, fullName }, browser);
    });
    return { browser };
  };
}

/**
 * Returns a random name that identifies a browser: `known` if it is well-formed, so that links of earlier requests
 * still work; otherwise a new name.
 */
function browserOf(known: string | undefined): string {
  return known !== undefined && hasTokenForm(known) ? known : newToken();
}

/** Delay of the job that answers a request, in milliseconds. The response is usually sent before the job starts. */
const afterMs = 500;

/** Stores a request, and the job that answers it. */
async function putRequest(
  { config }: Parts, work: Work, asked: Omit<SignInRequest, 'browser'>, browser: string,
): Promise<void> {
  const requestId = await insertRequest(work, { ...asked, browser: browserHash(config.tokenKey, browser) });
  work.effect(answerSignInRequest({ requestId }, { afterMs }));
}

function refuseInvalid({ username = '', email = '', fullName = '' }: SignUpRequest): void {
  const violations = new Violations();
  violations.note('username', slugProblem(username));
  violations.note('email', emailProblem(email));
  violations.note('full_name', fullNameProblem(fullName));
  violations.refuse();
}
