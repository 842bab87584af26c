import { LRUCache } from 'lru-cache';
import type { Grounds } from '@platform/relations';

/**
 * On which grounds principals stand, as the engine has confirmed it (authorization.md, invariant 4): every decision,
 * allow and deny, follows from them. Kept under the principal, its revision and the model: a new revision or model is
 * another key, so nothing kept is ever wrong, and nothing needs to be invalidated. No time-to-live; the least recently
 * used go when the bytes run out.
 */
export interface Decisions {
  get(principal: string, revision: string): Grounds | undefined;
  /** Keeps what the engine said under `modelId`. A model not seen before makes all that is kept unreachable. */
  keep(principal: string, revision: string, modelId: string, grounds: Grounds): void;
  readonly size: number;
}

export function createDecisions(maxBytes: number): Decisions {
  const entries = new LRUCache<string, { grounds: Grounds; bytes: number }>({
    maxSize: maxBytes,
    sizeCalculation: (entry) => entry.bytes,
  });
  let model = '';
  const keyOf = (principal: string, revision: string) => `${principal} ${revision} ${model}`;
  return {
    get: (principal, revision) => entries.get(keyOf(principal, revision))?.grounds,
    keep: (principal, revision, modelId, grounds) => {
      model = modelId;
      const key = keyOf(principal, revision);
      const bytes = 200 + 2 * key.length + 16 * grounds.size;
      entries.set(key, { grounds, bytes });
    },
    get size() {
      return entries.size;
    },
  };
}
