import { Fault, notFound } from '@platform/faults';
import type { OwnerAccount } from '@platform/owners';
import { CheckViolation } from '@platform/postgres';
import type { CallContext, OutgoingContext } from '@platform/rpc';
import { remaining } from '@platform/service';
import { invalidValue } from '@platform/values';
import type { Parts } from '../parts.ts';

/** @throws Fault NOT_FOUND */
export async function accountNamed({ accounts }: Parts, name: string, context: OutgoingContext): Promise<OwnerAccount> {
  const account = await accounts.byName(name, context);
  if (account === undefined) throw notFound(`there is no account ${name}`);
  return account;
}

/**
 * Returns the error for a cluster that cannot be read. After the deadline or a cancellation, this is the cause.
 * Otherwise, all causes give the same fault, because customers must not learn what is at an internal address.
 */
export function contactFailed(cause: unknown, { cancelled, deadline, log }: CallContext): unknown {
  if (remaining(deadline) <= 0 || cancelled.aborted) return cause;
  log.info({ error: cause }, 'the cluster to import did not answer');
  return new Fault('BAD_UPSTREAM', 'the cluster cannot be read with this kubeconfig', { cause });
}

/**
 * Converts a violation of `cluster_hub_owner` to INVALID_VALUE: only the owner of a hub may store its kubeconfig.
 * Throws other errors unchanged.
 */
export function refuseHubOfAnother(error: unknown): never {
  if (!(error instanceof CheckViolation) || error.constraint !== 'cluster_hub_owner') throw error;
  const message = 'must be absent: this cluster is the hub of a client organization; '
    + 'import it for the account that the hub belongs to';
  throw invalidValue([{ path: 'kubeconfig', message }]);
}
