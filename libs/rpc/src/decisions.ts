import { LRUCache } from 'lru-cache';
import type { ObjectClass } from '@platform/proto/authz/v1/decision';

/** What a principal holds on the objects of one class. */
export type Relations = ReadonlySet<string>;

/**
 * Decisions, allow and deny, that the engine has confirmed (authorization.md, invariant 4). Kept under the principal,
 * its revision and the model: a new revision or model is another key, so nothing kept is ever wrong, and nothing needs
 * to be invalidated. No time-to-live; the least recently used go when the bytes run out.
 */
export interface Decisions {
  get(principal: string, revision: string, objectClass: ObjectClass): Relations | undefined;
  /** Keeps what the engine said under `modelId`. A model not seen before makes all earlier decisions unreachable. */
  keep(principal: string, revision: string, objectClass: ObjectClass, modelId: string, relations: Relations): void;
  readonly size: number;
}

/** Sets that are equal are kept once: most principals of one right hold the same relations. */
export function createDecisions(maxBytes: number): Decisions {
  const entries = new LRUCache<string, { relations: Relations; bytes: number }>({
    maxSize: maxBytes,
    sizeCalculation: (entry) => entry.bytes,
  });
  let model = '';
  const keyOf = (principal: string, revision: string, objectClass: ObjectClass) =>
    `${principal} ${revision} ${objectClass} ${model}`;
  return {
    get: (principal, revision, objectClass) => entries.get(keyOf(principal, revision, objectClass))?.relations,
    keep: (principal, revision, objectClass, modelId, relations) => {
      model = modelId;
      const key = keyOf(principal, revision, objectClass);
      const bytes = 200 + 2 * key.length + 16 * relations.size;
      entries.set(key, { relations, bytes });
    },
    get size() {
      return entries.size;
    },
  };
}
