import { LRUCache } from 'lru-cache';
import type { Grounds } from '@platform/relations';

/**
 * The grounds of principals, as the engine confirmed them (authorization.md, invariant 4). The key contains the
 * principal's revision and the model, so entries do not become outdated.
 */
export interface Decisions {
  get(principal: string, revision: string): Grounds | undefined;
  /** Keeps an answer of the engine for the model `modelId`. Once the model changes, older entries are not found. */
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
