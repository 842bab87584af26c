/** Times are microseconds since 1970. A window includes `from` and excludes `to`. */
export type Window = Readonly<Record<'from' | 'to', number>>;

/** A period in which a contract covers a cluster for one product (open-points 7.3). */
export interface ContractWindow extends Window {
  readonly contractId: number;
  /** The end of the contract. If several contracts apply, the contract with the latest end counts. */
  readonly end: number;
}

export interface Terms {
  readonly contracts: readonly ContractWindow[];
  /** The periods in which trial licences are valid. */
  readonly trials: readonly Window[];
}

/** How use is billed; `none` means neither contract nor trial. */
export type UsageClass = 'prod' | 'nonProd' | 'free' | 'none';

/** Returns the contract that covers a moment, or undefined. If several do, the latest end wins, then the lowest id. */
export function contractAt({ contracts }: Terms, moment: number): ContractWindow | undefined {
  return contracts.filter((window) => covers(window, moment))
    .toSorted((one, other) => other.end - one.end || one.contractId - other.contractId)[0];
}

export function covers({ from, to }: Window, moment: number): boolean {
  return from <= moment && moment < to;
}
