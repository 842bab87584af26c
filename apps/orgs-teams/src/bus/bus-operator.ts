import { accountOf, type BusLogin, type Exporter } from '@platform/bus';
import type { Config } from '../config.ts';

/** The settings and secrets with which the platform manages accounts at the message bus. */
export interface BusOperator {
  /** Addresses of the message bus, and credentials of a user in the system account of the bus. */
  readonly login: BusLogin;
  readonly operatorSeed: string;
  /** The platform's own account at the bus. The accounts of organizations import its exports. */
  readonly exporter: Exporter;
  /** Number of shards. Each organization belongs to one shard. The subjects of its events contain the shard number. */
  readonly shards: number;
}

/**
 * Reads the settings of the bus. Returns undefined if one of them is missing. Organizations then get no accounts at the
 * bus.
 */
export function busOperator(config: Config): BusOperator | undefined {
  const { natsUrl, natsCredentials, natsSystemCredentials, natsAccountSeed, natsOperatorSeed, busShards } = config;
  if (
    natsUrl === undefined || natsCredentials === undefined || natsSystemCredentials === undefined
    || natsAccountSeed === undefined || natsOperatorSeed === undefined
  ) return undefined;
  return {
    login: { url: natsUrl.join(','), credentials: natsSystemCredentials.reveal() },
    operatorSeed: natsOperatorSeed.reveal(),
    exporter: { publicKey: accountOf(natsCredentials.reveal()), seed: natsAccountSeed.reveal() },
    shards: busShards,
  };
}
