import type { ProofResult } from '@platform/testing';

/** What is said of a result in the end, and the exit code. */
export interface Verdict {
  readonly says: string;
  readonly exitCode: number;
}

export function verdictOf({ holds }: Pick<ProofResult, 'holds'>): Verdict {
  if (holds === undefined) return { says: 'not tried, or not whole: this machine lacks what it takes', exitCode: 3 };
  return holds ? { says: 'holds', exitCode: 0 } : { says: 'DOES NOT HOLD', exitCode: 1 };
}
