import { AsyncLocalStorage } from 'node:async_hooks';

const parties = new AsyncLocalStorage<string>();

/** A party: an account, or a source without a known account. Waiting parties take turns ({@link createLimiter}). */
export function onBehalfOf<Result>(party: string, work: () => Result): Result {
  return parties.run(party, work);
}

/** The party of the current work. Empty for work of the platform itself. */
export function currentParty(): string {
  return parties.getStore() ?? '';
}
