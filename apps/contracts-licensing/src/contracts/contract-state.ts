/** What the state of a contract follows from. */
export interface ContractTerm {
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly revokedAt: Date | null;
}

/** State of a contract (open-points 5.2). Only an active one gives licences. */
export type ContractState = 'not started' | 'active' | 'expired' | 'revoked';

export function stateOf({ startsAt, endsAt, revokedAt }: ContractTerm, now: Date): ContractState {
  if (revokedAt !== null) return 'revoked';
  if (now < startsAt) return 'not started';
  return now < endsAt ? 'active' : 'expired';
}
