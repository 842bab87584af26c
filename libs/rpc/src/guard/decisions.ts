import { LRUCache } from 'lru-cache';
import type { Grounds } from '@platform/relations';

/**
 * Keeps the grounds of principals in memory (authorization.md, invariant 4). The key of each entry contains the
 * principal's revision and the model, so no entry becomes outdated.
 */
export interface Decisions {
  get(principal: string, revision: string): Grounds | undefined;
  /** Keeps grounds that the engine found under the model `modelId`. With a new model, `get` ignores older entries. */
  keep(principal: string, revision: string, modelId: string, grounds: Grounds): void;
  readonly size: number;
}

export function createDecisions(maxBytes: number): Decisions {
  const entries = new LRUCache<string, Grounds>({ maxSize: maxBytes });
  let model = '';
  const keyOf = (principal: string, revision: string) => `${principal} ${revision} ${model}`;
  return {
    get: (principal, revision) => entries.get(keyOf(principal, revision)),
    keep: (principal, revision, modelId, grounds) => {
      model = modelId;
      const key = keyOf(principal, revision);
      entries.set(key, grounds, { size: 200 + 2 * key.length + 16 * grounds.size });
    },
    get size() {
      return entries.size;
    },
  };
}
