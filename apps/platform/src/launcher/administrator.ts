import { Fault } from '@platform/faults';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { IdentityServiceService } from '@platform/proto/orgs/v1/identity';
import { connect } from '@platform/rpc/client';
import { deadlineIn, type Secret } from '@platform/service';
import type { Surface } from '@platform/surface';
import type { WatchedTls } from '@platform/tls';

/** Name of the site admin that orgs-teams makes at the first start. */
const administrator = 'platform-admin';

/** How long one call may take, in milliseconds. */
const callMs = 10_000;

/** The first site admin, in the form of `run.json`. */
export interface Administrator {
  readonly username: string;
  readonly token: string;
}

export interface AdministratorOptions {
  readonly surface: Surface;
  /** Certificates of the launcher, under mutual TLS. */
  readonly tls: WatchedTls | undefined;
  /** gRPC address of orgs-teams. */
  readonly orgsTeams: string;
  /** The operator's credential. */
  readonly credential: Secret;
  /** Tokens that may still be accepted, the preferred one first; at least one. */
  readonly known: readonly string[];
  /** Stores a new token in the state. */
  readonly keep: (token: string) => Promise<void>;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * The administrator with a valid token: the first valid one of the known tokens. If none is valid, because it was
 * revoked or never belonged to this database, a new one. An account that cannot sign in is only reported: somebody
 * disabled it on purpose.
 * @throws Fault when orgs-teams cannot be asked
 */
export async function openAdministrator(options: AdministratorOptions): Promise<Administrator> {
  const { surface, tls, orgsTeams, credential, known, keep, report, signal } = options;
  const to = { surface, tls, name: 'orgs-teams', addresses: [orgsTeams], serviceCredential: credential };
  const call = () => ({ deadline: deadlineIn(callMs, signal), requestId: 'launcher' });
  await using identity = connect(IdentityServiceService, to);
  const barred = (why: string): Administrator => {
    report(`${administrator} ${why}, so its token is refused. \`platform admin user\` changes or makes a site admin.`);
    return { username: administrator, token: known[0]! };
  };
  for (const token of known) {
    const standing = await outcome(identity.getStanding({ token, slugs: [], organizationIds: [] }, call()));
    if (standing === 'ACCOUNT_DISABLED') return barred('may not sign in');
    if (typeof standing !== 'string') return { username: standing.caller?.login ?? administrator, token };
  }
  await using admin = connect(AdminServiceService, to);
  const made = await outcome(admin.createToken({
    user: administrator, organization: '', name: 'start', expiresInSeconds: 0,
  }, call()));
  if (typeof made === 'string') return barred('is gone');
  const standing = await outcome(identity.getStanding({ token: made.token, slugs: [], organizationIds: [] }, call()));
  if (typeof standing === 'string') return barred('is inactive');
  await keep(made.token);
  report(`The token of ${administrator} was no longer accepted: a new one was created and stored in the state folder.`);
  return { username: administrator, token: made.token };
}

/** The answer of a call, or its refusal if the caller must decide about it. */
async function outcome<Answer>(call: Promise<Answer>): Promise<Answer | Refusal> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Fault && isRefusal(error.reason)) return error.reason;
    throw error;
  }
}

const refusals = ['UNAUTHENTICATED', 'ACCOUNT_DISABLED', 'NOT_FOUND'] as const;
type Refusal = (typeof refusals)[number];

function isRefusal(reason: string): reason is Refusal {
  return refusals.some((refusal) => refusal === reason);
}
