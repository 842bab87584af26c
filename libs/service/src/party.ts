import { AsyncLocalStorage } from 'node:async_hooks';

const parties = new AsyncLocalStorage<string>();

/**
 * Does work on behalf of a party: an account, or a source whose account is not known yet. When work has to wait,
 * parties take turns (see {@link createLimiter}), so that a party with much work does not delay others.
 */
export function onBehalfOf<Result>(party: string, work: () => Result): Result {
  return parties.run(party, work);
}

/** The party of the current work. Empty for work of the platform itself. */
export function currentParty(): string {
  return parties.getStore() ?? '';
}
