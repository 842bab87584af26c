import { Fault, notFound } from '@platform/faults';

/** There is no such contract, or it belongs to another account: 404. */
export function contractMissing(): Fault {
  return notFound('contract not found');
}

/** Like {@link contractMissing}, for the list of audit events that users read: 403 (spec §4.4). */
export function contractForbidden(): Fault {
  return new Fault('FORBIDDEN', 'the account has no such contract');
}

/** Like {@link contractMissing}, for endpoints that answer 400 (open-points 5.6). */
export function contractNotFound(): Fault {
  return new Fault('CONTRACT_NOT_FOUND', 'contract not found');
}

export function clusterMissing(): Fault {
  return notFound('the contract has no such cluster');
}

/** Like {@link contractMissing}, for binding clusters to a contract of the account: 400 (open-points 5.6). */
export function contractNotOfAccount(): Fault {
  return invalidContract('the account has no such contract');
}

/** The state or owner of a contract does not allow the request (open-points 5.4). */
export function invalidContract(message: string): Fault {
  return new Fault('INVALID_CONTRACT', message);
}
