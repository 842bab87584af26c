import type { NatsAccess, State } from '@platform/backing';
import { accountOf, createServiceUser } from '@platform/bus';
import { type Service, type ServiceName, type SettingKey } from '@platform/service';
import { handOver, type KeptSecret, type KeptSecrets, natsCredentialsName } from '../kept-secrets.ts';

/** Secrets that are different for each service. */
export type OwnSecrets = ReadonlyMap<ServiceName, KeptSecret>;

/** The URL of each service with a schema, with its role and password. */
export async function handOverPostgres(state: State, urls: ReadonlyMap<string, string>): Promise<OwnSecrets> {
  return handOverEach([...urls].map(([service, url]) => {
    return [service as ServiceName, handOver(state, `postgres-url-of-${service}`, url)];
  }));
}

/**
 * Bus credentials of each service that uses the bus: a user in the platform's account, made at each start, with
 * permission for the subjects in the service's row of the table of services.
 */
export async function handOverBusUsers(
  state: State,
  { accountSeed, credentials }: NatsAccess,
  services: readonly Service[],
): Promise<OwnSecrets> {
  return handOverEach(services.flatMap(({ name, bus }) => {
    if (bus === undefined) return [];
    const made = createServiceUser(accountSeed, accountOf(credentials), name, bus);
    return [[name, made.then((user) => handOver(state, `${natsCredentialsName}-of-${name}`, user.credentials))]];
  }));
}

/** The seeds with which orgs-teams admits others to the bus. */
export async function handOverBusSeeds(state: State, access: NatsAccess): Promise<KeptSecrets> {
  // For the launcher and the CLI themselves; no service gets it.
  await handOver(state, natsCredentialsName, access.credentials);
  const values: readonly (readonly [SettingKey, string])[] = [
    ['nats.systemCredentials', access.systemCredentials],
    ['nats.accountSeed', access.accountSeed],
    ['nats.operatorSeed', access.operatorSeed],
  ];
  return handOverEach(values.map(([key, value]) => [key, handOver(state, key.replace('.', '-'), value)]));
}

async function handOverEach<Name>(
  entries: readonly (readonly [Name, Promise<KeptSecret>])[],
): Promise<ReadonlyMap<Name, KeptSecret>> {
  return new Map(await Promise.all(entries.map(async ([name, kept]) => [name, await kept] as const)));
}
