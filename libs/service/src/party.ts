import { AsyncLocalStorage } from 'node:async_hooks';

const parties = new AsyncLocalStorage<string>();

/**
 * Does work on behalf of a party: an account, or a source whose account is not known yet. Where work has to wait,
 * parties take turns (see {@link createLimiter}), so that one with much work does not delay the work of another.
 */
export function onBehalfOf<Result>(party: string, work: () => Result): Result {
  return parties.run(party, work);
}

/** On whose behalf the current work is done. Empty for work of the platform itself. */
export function currentParty(): string {
  return parties.getStore() ?? '';
}
