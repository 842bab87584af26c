import type { Window } from './terms.ts';

/**
 * An event of an object, together with its repetitions. Lists of versions contain at most one version for each time.
 * Times are in microseconds, `cpu` is in billionths of a core, and `memory` is in billionths of a byte.
 */
export interface Version {
  readonly at: number;
  readonly type: 'created' | 'updated' | 'deleted';
  /** When the object is known to have this state, ascending. Each copy of the event proves the state for two hours. */
  readonly seen: readonly Window[];
  readonly cpu: bigint;
  readonly memory: bigint;
  readonly mode: string;
  /** Whether the object's namespace has the resource trial, which makes the first 30 days of an object free. */
  readonly resourceTrial: boolean;
}

export type Use = Window & { readonly version: Omit<Version, 'type' | 'seen'> };
