import type { SignInByMailRequest, SignInServiceService } from '@platform/proto/orgs/v1/sign_in';
import type { CallContext, Handler } from '@platform/rpc';
import { insertPerson, type NewPerson, type PersonRow } from '../accounts/people.ts';
import { linkExpired } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { browserHash, codeHash, type CodeKind, endOtherCodes, takeCode } from '../sessions/codes.ts';
import type { Work } from '../write/write.ts';
import {
  confirmAddress, findHolders, lockAddress, readRequest, refuseUnlessOpen, type SignInRequest,
} from './requests.ts';

/** POST /auth/sign-in/mail/{code} (open-points 18.3). */
export function signInByMail(parts: Parts): Handler<typeof SignInServiceService.signInByMail> {
  return async (request, context) => follow(parts, 'mail', request, context, async (work, { email }, accountId) => {
    // The account may have a different address by now.
    if (!(await confirmAddress(work, accountId!, email))) throw linkExpired();
    return accountId!;
  });
}

/** POST /auth/sign-up/{code} (open-points 18.3, 18.4): creates the account if the current rules permit it. */
export function finishSignUp(parts: Parts): Handler<typeof SignInServiceService.finishSignUp> {
  return async (request, context) => follow(parts, 'sign-up', request, context, async (work, asked) => {
    const { email, username, fullName } = asked;
    await refuseUnlessOpen(work, email);
    await lockAddress(work, email);
    // If an account has the address by now, the user of the account can sign in by mail instead.
    if ((await findHolders(work, email)).length > 0) throw linkExpired();
    const { id } = await insertOrdinaryPerson(work, { name: username, email, fullName });
    await confirmAddress(work, id, email);
    return id;
  });
}

/** Creates an active account, which may create organizations if `orgs.allowCreate` permits it. */
export async function insertOrdinaryPerson(
  work: Work, given: Pick<NewPerson, 'name' | 'email' | 'fullName'>,
): Promise<PersonRow> {
  const flags = { isAdmin: false, active: true, prohibitLogin: false, mayCreateOrganization: true };
  const person = await insertPerson(work, { ...given, ...flags });
  work.audit({ action: 'user.create', object: `user:${person.id}`, details: { name: person.name, ...flags } });
  return person;
}

/**
 * Consumes a link's code, and begins a session of the account that `accountOf` returns.
 * @throws Fault LINK_EXPIRED; the errors of `accountOf`
 */
function follow(
  parts: Parts,
  kind: CodeKind,
  request: SignInByMailRequest,
  context: CallContext,
  accountOf: (work: Work, asked: SignInRequest, accountId: number | null) => Promise<number>,
): Promise<{ session: string }> {
  const { tokenKey } = parts.config;
  // The hash includes the random name of the browser, so the code does not work in other browsers.
  const hash = codeHash(tokenKey, kind, request.code, browserHash(tokenKey, request.browser ?? ''));
  return parts.write(context, [], async (work) => {
    const taken = await takeCode(work, kind, hash);
    if (taken === undefined) throw linkExpired();
    await endOtherCodes(work, taken);
    const accountId = await accountOf(work, await readRequest(work, taken.requestId!), taken.accountId);
    return signedIn(parts, work, accountId, request, context);
  });
}

/**
 * Begins a session for a user who followed a link in a mail.
 * @throws Fault LINK_EXPIRED if the user may not sign in
 */
export async function signedIn(
  parts: Parts,
  work: Work,
  accountId: number,
  { former, userAgent }: Pick<SignInByMailRequest, 'former' | 'userAgent'>,
  { sourceAddress: address }: CallContext,
): Promise<{ session: string }> {
  const session = await beginSession(parts, work, { accountId, via: 'mail', former, userAgent, address });
  if (session === undefined) throw linkExpired();
  return { session };
}
