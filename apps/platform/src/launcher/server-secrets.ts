import type { NatsAccess, State } from '@platform/backing';
import { accountOf, createServiceUser } from '@platform/bus';
import { type ServiceName, services } from '@platform/service';
import { handOver, natsCredentialsName } from '../kept-secrets.ts';
import type { BackingServers } from './backing-servers.ts';
import type { ServiceSurroundings } from './service-environment.ts';

/**
 * Creates missing databases, roles and schemas. For each service with a schema, writes a file with the service's
 * database URL.
 */
export async function handOverPostgres(
  state: State, around: ServiceSurroundings, { provision }: BackingServers,
): Promise<void> {
  for (const [service, url] of await provision()) {
    around.ownSecrets['postgres.url'].set(service as ServiceName, await handOver(state, `postgres-url-of-${service}`, url));
  }
}

/**
 * Creates a user in the platform's NATS account for each service that uses the bus. The table of services names the
 * subjects that a service may use. Writes files with the credentials of these users. Also writes the secrets with which
 * orgs-teams creates NATS accounts for organizations.
 */
export async function handOverBus(state: State, around: ServiceSurroundings, access: NatsAccess): Promise<void> {
  // The launcher and the CLI use these credentials themselves. No service gets them.
  await handOver(state, natsCredentialsName, access.credentials);
  for (const key of ['systemCredentials', 'accountSeed', 'operatorSeed'] as const) {
    around.secrets.set(`nats.${key}`, await handOver(state, `nats-${key}`, access[key]));
  }
  await Promise.all(services.map(async ({ name, bus }) => {
    if (bus === undefined) return;
    const user = await createServiceUser(access.accountSeed, accountOf(access.credentials), name, bus);
    const kept = await handOver(state, `${natsCredentialsName}-of-${name}`, user.credentials);
    around.ownSecrets['nats.credentials'].set(name, kept);
  }));
}
