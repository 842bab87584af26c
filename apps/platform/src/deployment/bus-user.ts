import { hash } from 'node:crypto';
import type { State } from '@platform/backing';
import { createServiceUser, inboxPrefixOf, publicKeyOf } from '@platform/bus';
import type { Service } from '@platform/service';

/**
 * The platform's account at NATS. `account` is its public key. `seed` belongs to the account or to one of its signing
 * keys.
 */
interface SigningAccount {
  readonly account: string;
  readonly seed: string;
}

/**
 * Returns the credentials of a service's bus user. Creates the user at the first call. The name of the stored secret
 * contains a digest of the account, the signing key and the permissions. If any of them changes, the service gets a new
 * user.
 * @throws BackingFault STATE_UNUSABLE
 */
export async function keptBusUser(
  state: State, { account, seed }: SigningAccount, name: string, { publish, subscribe }: NonNullable<Service['bus']>,
): Promise<string> {
  const signed = JSON.stringify([account, publicKeyOf(seed), publish, subscribe, inboxPrefixOf(name)]);
  return state.secret(`bus-user-of-${name}-${hash('sha256', signed).slice(0, 16)}`, {
    renewable: true,
    make: async () => (await createServiceUser(seed, account, name, { publish, subscribe })).credentials,
  });
}
