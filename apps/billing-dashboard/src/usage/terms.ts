/** Times are microseconds since 1970; a window is from its first moment to before its last. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** When a contract covered a cluster, for one product (open-points 7.3). */
export interface ContractWindow extends Window {
  readonly contractId: number;
  /** `end` of the contract, by which one of several is chosen. */
  readonly end: number;
}

/** Under which terms a cluster used a product. */
export interface Terms {
  readonly contracts: readonly ContractWindow[];
  /** When there was a trial licence. */
  readonly trials: readonly Window[];
}

/** How use is billed; `none`: neither contract nor trial. */
export type UsageClass = 'prod' | 'nonProd' | 'free' | 'none';

/** The contract that use at a moment is under: the one with the latest end, then the lowest id. */
export function contractAt({ contracts }: Terms, moment: number): ContractWindow | undefined {
  return contracts.filter((window) => covers(window, moment))
    .toSorted((one, other) => other.end - one.end || one.contractId - other.contractId)[0];
}

export function covers({ from, to }: Window, moment: number): boolean {
  return from <= moment && moment < to;
}
