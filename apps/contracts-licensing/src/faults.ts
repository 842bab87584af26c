import { Fault, notFound } from '@platform/faults';

/** There is no such contract, or it belongs to another account: 404. */
export function contractMissing(): Fault {
  return notFound('contract not found');
}

/** Like {@link contractMissing}, but 403: for GET /user/contracts/{id}/audit (spec §4.4). */
export function contractForbidden(): Fault {
  return new Fault('FORBIDDEN', 'the account has no such contract');
}

/** Like {@link contractMissing}, but 400: for GET …/clusters/imported/non-associated (open-points 5.6). */
export function contractNotFound(): Fault {
  return new Fault('CONTRACT_NOT_FOUND', 'contract not found');
}

export function clusterMissing(): Fault {
  return notFound('the contract has no such cluster');
}

/** Like {@link contractMissing}, but with the status 400, for POST /user/contracts/{id}/clusters (open-points 5.6). */
export function contractNotOfAccount(): Fault {
  return invalidContract('the account has no such contract');
}

/** The contracts of the account do not allow the request: 400 (open-points 5.4, 6.4). */
export function invalidContract(message: string): Fault {
  return new Fault('INVALID_CONTRACT', message);
}
