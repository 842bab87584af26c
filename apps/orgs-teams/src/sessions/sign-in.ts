import { notFound } from '@platform/faults';
import type { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import type { SessionServiceService } from '@platform/proto/orgs/v1/session';
import type { Handler } from '@platform/rpc';
import { isSessionToken } from '@platform/values';
import { findPerson } from '../accounts/people.ts';
import { invalidToken, linkExpired, peopleOnly } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { newToken, sessionDigest } from '../standing/access-token.ts';
import { lock } from '../write/locks.ts';
import { beginSession, deleteSession } from './begin-session.ts';
import { codeHash, codeSeconds, insertCode, takeCode } from './codes.ts';

/** POST /auth/sign-in/token (open-points 18.3). */
export function signInByToken(parts: Parts): Handler<typeof SessionServiceService.signInByToken> {
  return async ({ token = '', former, userAgent }, context) => {
    // The token of a session cannot be used to sign in.
    if (token === '' || isSessionToken(token)) throw invalidToken();
    const { caller } = await parts.standing({ token, slugs: [], organizationIds: [], countsRequest: true }, context);
    if (caller === undefined) throw invalidToken();
    if (caller.systemAdminOf !== 0) throw peopleOnly();
    const from = { former, userAgent, address: context.sourceAddress };
    const signIn = { accountId: caller.id, via: 'token', sourceTokenId: caller.tokenId, ...from } as const;
    const session = await parts.write(context, [lock.account(caller.id)], (work) => beginSession(parts, work, signIn));
    if (session === undefined) throw invalidToken();
    return { session };
  };
}

/** POST /auth/link/{code} (open-points 18.3), run mode `dev` only. */
export function signInByLink(parts: Parts): Handler<typeof SessionServiceService.signInByLink> {
  return async ({ code, former, userAgent }, context) => {
    const hash = codeHash(parts.config.tokenKey, 'link', code);
    return parts.write(context, [], async (work) => {
      const { accountId = null } = (await takeCode(work, 'link', hash)) ?? {};
      if (accountId === null) throw linkExpired();
      const address = context.sourceAddress;
      const session = await beginSession(parts, work, { accountId, via: 'link', former, userAgent, address });
      if (session === undefined) throw linkExpired();
      return { session };
    });
  };
}

/** POST /auth/sign-out (open-points 18.3). */
export function signOut({ config, write }: Parts): Handler<typeof SessionServiceService.signOut> {
  return async ({ former }, context) => {
    if (former !== undefined) {
      await write(context, [], async (work) => {
        const ended = await deleteSession(work, sessionDigest(config.tokenKey, former).hash);
        if (ended === undefined) return;
        const { id, accountId } = ended;
        work.audit({ action: 'session.end', object: `session:${id}`, subjectIds: [accountId], details: { accountId } });
      });
    }
    return { session: '', cleared: '"cache", "storage"' };
  };
}

/** Creates the code of the link that the launcher prints, in run mode `dev` only. */
export function createSignInLink(
  { config, database, write }: Parts,
): Handler<typeof AdminServiceService.createSignInLink> {
  return async ({ user = '' }, context) => {
    const person = config.runMode === 'dev' ? await findPerson(database, user) : undefined;
    if (person === undefined) throw notFound(`there is no user ${user}, or the run mode is not dev`);
    const code = newToken();
    const hash = codeHash(config.tokenKey, 'link', code);
    await write(context, [lock.permission(person.id)], async (work) => {
      await insertCode(work, { kind: 'link', hash, accountId: person.id, seconds: codeSeconds.link });
      const { id, name } = person;
      work.audit({ action: 'sign_in_link.create', object: `user:${id}`, subjectIds: [id], details: { name } });
    });
    return { code };
  };
}
