import { createHmac } from 'node:crypto';
import { type OidcIdentity, OidcRefused } from '@platform/oidc';
import { sql } from '@platform/postgres';
import type { FinishOidcRequest, OidcFinished, OidcServiceService } from '@platform/proto/orgs/v1/oidc';
import { Fault } from '@platform/faults';
import type { CallContext, Handler } from '@platform/rpc';
import { DeadlineExceeded, type OidcProviderSetting, Unavailable } from '@platform/service';
import { accountDisabled, linkExpired } from '../faults.ts';
import type { Parts } from '../parts.ts';
import { beginSession } from '../sessions/begin-session.ts';
import { lock } from '../write/locks.ts';
import type { Work } from '../write/write.ts';
import { bind, findBindable, findBound, makeAccount, mayDoEverything, refuseUnverified } from './accounts.ts';
import { type FlowUnderWay, openFlow } from './flow-cookie.ts';
import { findMappedTeams, followGroups, locksOfTeams, type MappedTeam } from './groups.ts';
import { providerOf, type ReadyProvider } from './providers.ts';

/**
 * GET /auth/oidc/{provider}/callback (open-points 18.3). If the sign-in is refused or the provider fails, redirects to
 * the sign-in page of the console with the reason. An unknown provider gets NOT_FOUND.
 */
export function finishOidc(parts: Parts): Handler<typeof OidcServiceService.finishOidc> {
  return async (request, context): Promise<OidcFinished> => {
    const provider = providerOf(parts.providers, request.provider);
    const { baseUrl } = parts.config;
    try {
      const flow = openFlow(parts.sealer, request.flow ?? '');
      if (flow?.provider !== request.provider || flow.state !== request.state) throw linkExpired();
      await spend(parts, flow, context);
      const identity = await provider.protocol.finish(parametersOf(request), flow, context.deadline);
      const session = await signIn(parts, { provider, flow, identity, request }, context);
      return { location: `${baseUrl}${flow.to}`, flow: '', session };
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === undefined) throw error;
      context.log.info({ provider: request.provider, reason, error }, 'a sign-in through a provider failed');
      return { location: `${baseUrl}/sign-in#refused=${reason.toLowerCase()}`, flow: '' };
    }
  };
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof Fault) return error.reason;
  if (error instanceof OidcRefused) return 'FORBIDDEN';
  return error instanceof Unavailable || error instanceof DeadlineExceeded ? 'UNAVAILABLE' : undefined;
}

/** Marks the flow as used. The mark stays if the sign-in fails. @throws Fault LINK_EXPIRED for a used flow */
async function spend({ config, database }: Parts, { state }: FlowUnderWay, { deadline }: CallContext): Promise<void> {
  const hash = createHmac('sha256', config.tokenKey.reveal()).update(`oidc-state/${state}`).digest();
  const spent = await database.execute(
    sql`insert into spent_state (hash) values (${hash}::bytea) on conflict do nothing`, { deadline },
  );
  if (spent === 0) throw linkExpired();
}

function parametersOf({ code, state, iss, error }: FinishOidcRequest): URLSearchParams {
  const given = Object.entries({ code, state, iss, error });
  return new URLSearchParams(given.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

interface SigningIn {
  readonly provider: ReadyProvider;
  readonly flow: FlowUnderWay;
  readonly identity: OidcIdentity;
  readonly request: FinishOidcRequest;
}

/**
 * Binds the subject to its account, updates the teams of the user and begins a session, in one transaction. Creates the
 * account if there is none.
 * @returns the value of the session
 * @throws Fault if the sign-in is refused
 */
async function signIn(parts: Parts, signing: SigningIn, context: CallContext): Promise<string> {
  const { database, write } = parts;
  const { provider: { setting }, identity, request: { former, userAgent } } = signing;
  const teams = identity.groups === undefined ? [] : await mappedTeams(database, setting, context);
  for (;;) {
    const { id, bound } = await accountFor(parts, signing);
    const locks = [...(id === undefined ? [] : [lock.account(id)]), ...locksOfTeams(teams)];
    const session = await write(context, locks, async (work) => {
      // If the binding of the subject has changed since the locks were chosen, run again with new locks.
      if ((await findBound(work, identity)) !== bound) return undefined;
      const accountId = id ?? (await makeAccount(work, identity));
      if (id !== undefined && bound === undefined) await refuseUnlessBindable(work, signing, id);
      await bind(work, identity, accountId);
      await followGroups(work, teams, accountId, identity.groups ?? []);
      const { sourceAddress: address } = context;
      const value = await beginSession(parts, work, { accountId, via: 'oidc', former, userAgent, address });
      if (value === undefined) throw accountDisabled();
      return value;
    });
    if (session !== undefined) return session;
  }
}

/** Returns the teams to which the settings map groups. Logs the mapped teams that are ignored. */
async function mappedTeams(
  database: Parts['database'], setting: OidcProviderSetting, { log }: CallContext,
): Promise<readonly MappedTeam[]> {
  const { teams, unmapped } = await findMappedTeams(database, setting);
  if (unmapped.length > 0) {
    const message = 'ignoring groups that are mapped to missing teams, or to Owners of the administrative organization';
    log.warn({ provider: setting.name, teams: unmapped }, message);
  }
  return teams;
}

/**
 * @returns `id`: the account that signs in, undefined if it must be created; `bound`: the account to which the subject
 *   is already bound, if any
 * @throws Fault FORBIDDEN
 */
async function accountFor(
  { database }: Parts, { flow: { bind: binding }, identity, provider: { setting } }: SigningIn,
): Promise<{ readonly id: number | undefined; readonly bound: number | undefined }> {
  const bound = await findBound(database, identity);
  if (binding !== undefined) {
    if (bound !== undefined && bound !== binding.accountId) {
      throw new Fault('FORBIDDEN', 'this user of the provider is bound to another account');
    }
    return { id: binding.accountId, bound };
  }
  if (bound !== undefined) return { id: bound, bound };
  refuseUnverified(identity, setting);
  return { id: await findBindable(database, identity), bound };
}

/**
 * Checks again, under the lock of the account, that the provider's subject may be bound to the account.
 * @throws Fault LINK_EXPIRED, FORBIDDEN
 */
async function refuseUnlessBindable(work: Work, { flow, identity }: SigningIn, accountId: number): Promise<void> {
  const isBindable = flow.bind === undefined
    ? (await findBindable(work, identity)) === accountId : await mayDoEverything(work, flow.bind);
  if (!isBindable) throw linkExpired();
}
