import { Fault } from '@platform/faults';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { connect, type ConnectOptions } from '@platform/rpc/client';
import { deadlineIn, repeatUntil } from '@platform/service';
import { keepAdminToken, type KeptSecret, knownAdminTokens } from '../kept-secrets.ts';
import type { RunFile } from '../run-file.ts';
import type { PlatformOptions } from './platform-options.ts';

/** Name of the site admin that orgs-teams creates at the first start. */
const administrator = 'platform-admin';

/** Reasons with which orgs-teams refuses a token, or a request to create a token. */
const refusals: readonly string[] = ['UNAUTHENTICATED', 'ACCOUNT_DISABLED', 'NOT_FOUND'];

/**
 * Returns the administrator with the first valid token that the launcher knows. Without a valid token, creates one and
 * stores it in the state folder. If the administrator may not sign in, is inactive or is deleted, reports the problem
 * and returns a token that orgs-teams refuses.
 * @param to how to connect to orgs-teams, with the operator's credential
 * @throws Fault when orgs-teams fails
 */
export async function openAdministrator(
  to: ConnectOptions, preferred: KeptSecret, { state, progress: { report } }: PlatformOptions, signal: AbortSignal,
): Promise<RunFile['admin']> {
  await using identity = connect(IdentityServiceService, to);
  await using admin = connect(AdminServiceService, to);
  const standingOf = (token: string) => outcome(untilAnswered(signal, () =>
    identity.getStanding({ token, slugs: [], organizationIds: [] }, callOf(signal))));
  const known = await knownAdminTokens(state, preferred);
  const barred = (why: string): RunFile['admin'] => {
    report(`${administrator} ${why}, so its token is refused. \`platform admin user list --admin true\` lists site admins.`);
    return { username: administrator, token: known[0]! };
  };
  for (const token of known) {
    const standing = await standingOf(token);
    if (standing === 'ACCOUNT_DISABLED') return barred('may not sign in');
    if (typeof standing !== 'string') return { username: standing.caller?.login ?? administrator, token };
  }
  const asked = { user: administrator, organization: '', name: 'start', expiresInSeconds: 0 };
  const made = await outcome(admin.createToken(asked, callOf(signal)));
  if (typeof made === 'string') return barred('does not exist');
  if (typeof (await standingOf(made.token)) === 'string') return barred('is inactive');
  await keepAdminToken(state, made.token);
  report(`The token of ${administrator} was no longer accepted: a new one was created and stored in the state folder.`);
  return { username: administrator, token: made.token };
}

/**
 * Creates a code with which a user can sign in once. Returns undefined if orgs-teams answers NOT_FOUND: the user does
 * not exist, or the run mode is not `dev`.
 * @throws Fault
 */
export async function signInCode(to: ConnectOptions, user: string, signal: AbortSignal): Promise<string | undefined> {
  await using admin = connect(AdminServiceService, to);
  const asked = untilAnswered(signal, () => admin.createSignInLink({ user }, callOf(signal)));
  const made = await outcome(asked, ['NOT_FOUND']);
  return typeof made === 'string' ? undefined : made.code;
}

/** Repeats a harmless call while the service is unavailable: a busy machine may delay its first answers. */
export function untilAnswered<Answer>(signal: AbortSignal, call: () => Promise<Answer>): Promise<Answer> {
  const again = (error: unknown): boolean => error instanceof Fault && error.reason === 'UNAVAILABLE';
  return repeatUntil(call, { signal, again, first: 100, most: 1_000 });
}

function callOf(signal: AbortSignal) {
  return { deadline: deadlineIn(10_000, signal), requestId: 'launcher' };
}

/** Returns the answer of a call, or the reason of its refusal if the reason is one of `reasons`. */
function outcome<Answer>(call: Promise<Answer>, reasons = refusals): Promise<Answer | string> {
  return call.catch((error: unknown) => {
    if (error instanceof Fault && reasons.includes(error.reason)) return error.reason as string;
    throw error;
  });
}
