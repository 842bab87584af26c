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
 * Returns the error for a cluster that cannot be read. After the deadline or a cancellation, returns `cause`.
 * Otherwise, returns the same fault for every cause, because customers must not learn what is at an internal address.
 */
export function contactFailed(cause: unknown, { cancelled, deadline, log }: CallContext): unknown {
  if (remaining(deadline) <= 0 || cancelled.aborted) return cause;
  log.info({ error: cause }, 'cannot read a cluster with the given kubeconfig');
  return new Fault('BAD_UPSTREAM', 'the cluster cannot be read with this kubeconfig', { cause });
}

/**
 * Throws Fault INVALID_VALUE for a violation of `cluster_hub_owner`: a client organization must not store a kubeconfig
 * for its hub. Throws other errors unchanged.
 */
export function refuseHubOfAnother(error: unknown): never {
  if (!(error instanceof CheckViolation) || error.constraint !== 'cluster_hub_owner') throw error;
  const message = 'must be absent: this cluster is the hub of a client organization; '
    + 'import the cluster for the account that owns the hub';
  throw invalidValue([{ path: 'kubeconfig', message }]);
}
