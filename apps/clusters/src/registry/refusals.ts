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
 * The error for a customer whose cluster did not answer. Before the deadline, the error is the same for all causes: it
 * must not reveal what is at an address that only this process can reach.
 */
export function contactFailed(cause: unknown, { cancelled, deadline, log }: CallContext): unknown {
  if (remaining(deadline) <= 0 || cancelled.aborted) return cause;
  log.info({ error: cause }, 'the cluster to import did not answer');
  return new Fault('BAD_UPSTREAM', 'the cluster cannot be read with this kubeconfig', { cause });
}

/** Refuses a kubeconfig for the hub of a client organization: only the account that owns the hub may store it. */
export function refuseHubOfAnother(error: unknown): never {
  if (!(error instanceof CheckViolation) || error.constraint !== 'cluster_hub_owner') throw error;
  const message = 'must be absent: this cluster is the hub of a client organization; '
    + 'import it for the account that the hub belongs to';
  throw invalidValue([{ path: 'kubeconfig', message }]);
}
