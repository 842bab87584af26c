import { randomInt } from 'node:crypto';
import { connect } from '@platform/postgres';
import { documentedHttp } from '../documented.ts';
import { specCall } from '../operator.ts';
import { startWorld } from '../orgs/world.ts';
import type { OwnProcess } from '../platform.ts';
import { claimsOf, listenerHosts, listenerSettings } from './marketplace-world.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** An id that no claim has. */
export const newId = () => Array.from({ length: 26 }, () => alphabet[randomInt(alphabet.length)]).join('');
/** Path of the check whether an organization can be claimed. */
export const pathOf = (id: string) => `/marketplace/api/v1/marketplaces/standalone-organizations/${id}/claimable`;

export type ClaimsWorld = Awaited<ReturnType<typeof startClaimsWorld>>;

/** A marketplace deployment for specs of claims: what the listener keeps, and each of its replicas. */
export async function startClaimsWorld(ownProcess: OwnProcess, settings: Readonly<Record<string, string>> = {}) {
  const world = await startWorld({
    hosts: listenerHosts, replicas: { 'marketplace-listener': 2 }, ownProcess,
    settings: {
      ...listenerSettings, 'deployment.type': 'ProviderAMarketplace', 'run.mode': 'prod',
      'rateLimit.anonymousPerSecond': '1000', 'rateLimit.anonymousBurst': '1000', ...settings,
    },
  });
  const { services, databases } = world.platform;
  const [first, second] = services['marketplace-listener'].replicas.map(({ addresses }) =>
    documentedHttp(`http://${addresses['listener']!}`));
  const { url, schema } = databases['marketplace-listener'];
  const rows = connect({ url, schema, applicationName: 'spec' });
  const claims = await claimsOf(world.platform);
  let made = 0;
  return {
    world, rows, listeners: [first!, second!] as const, claims,
    /** A standalone organization. */
    standalone: async ({ claimable } = { claimable: false }) => {
      const [claimId, username] = [newId(), `standalone-${(made += 1)}`];
      await claims.putClaim({ claimId, username, fullName: 'Stand Alone', claimable }, specCall());
      return { claimId, username };
    },
    [Symbol.asyncDispose]: async () => {
      await rows[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}
