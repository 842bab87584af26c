import { hash } from 'node:crypto';
import { natsAuthority, natsConfiguration, natsPreload, openfgaConfiguration, type State } from '@platform/backing';
import { accountOf } from '@platform/bus';
import { placeOf, urlWith } from '@platform/postgres';
import { secretsOf, services, type SettingKey } from '@platform/service';
import { openSecrets, secretIn } from '../kept-secrets.ts';
import { keptBusUser } from './bus-user.ts';
import type { GivenSettings } from './given-settings.ts';

/** Contents of files, by part and file name. A part is a service, `cli`, or a server of the deployment. */
export type PartFiles = ReadonlyMap<string, Readonly<Record<string, string>>>;

const database = 'platform';
/** Name of OpenFGA's database, role and part. */
const openfga = 'openfga';
const administrator = 'administrator';

/** The files with the secrets of each part. Missing secrets are generated and stored. @throws BackingFault */
export async function describeParts(state: State, given: GivenSettings): Promise<PartFiles> {
  const secrets = await openSecrets(state, given);
  const parts = new Map<string, Record<string, string>>();
  const urls = await describePostgres(state, given, parts);
  const bus = await describeNats(state, given, parts);
  const presharedKey = given.get('openfga.presharedKey') ?? await describeOpenfga(state, urls.get(openfga), parts);
  const operator = secretIn(secrets, 'secrets.operatorCredential').value;
  const kept: Values = Object.fromEntries([...secrets].map(([key, { value }]) => [key, value]));
  const shared: Values = { ...kept, ...bus.shared, 'openfga.presharedKey': presharedKey };
  for (const service of services) {
    const own: Values = {
      ...shared, 'postgres.url': urls.get(service.name), 'nats.credentials': bus.users.get(service.name),
    };
    const values = Object.fromEntries(secretsOf(service).map((key) => [key, own[key]]));
    parts.set(service.name, settingsFile({ ...values, 'secrets.operatorVerifier': hash('sha256', operator) }));
  }
  const serviceUrls = [...urls].filter(([name]) => name !== administrator).map((pair) => pair.join('='));
  const url = urls.get(administrator);
  parts.set('cli', settingsFile({
    token: operator, 'postgres.url': url, 'postgres.serviceURLs': serviceUrls.join(',') || undefined,
  }));
  return parts;
}

type Values = { readonly [Key in SettingKey]?: string | undefined };
type Parts = Map<string, Record<string, string>>;

/**
 * Returns the database URLs by part. The key `administrator` has the URL of the administrator. If the password of the
 * server is generated, adds this password to `parts`. Without `postgres.url`, returns an empty map, because the
 * operator then sets each URL.
 */
async function describePostgres(state: State, given: GivenSettings, parts: Parts): Promise<Map<string, string>> {
  const named = given.get('postgres.url');
  if (named === undefined) return new Map();
  let superuserUrl = named;
  // A URL without a password names a server of the deployment. The password of this server is generated.
  if (new URL(named).password === '') {
    const password = await state.secret('postgres-password');
    superuserUrl = urlWith(named, { password });
    parts.set('postgres', { password });
  }
  const urls = new Map([[administrator, superuserUrl]]);
  for (const { name, schema } of services) {
    if (schema !== true) continue;
    const password = await state.secret(`postgres-${name}-password`);
    urls.set(name, urlWith(superuserUrl, { database, role: placeOf(database, name).role, password }));
  }
  if (given.has('openfga.presharedKey')) return urls;
  const password = await state.secret('postgres-openfga-password');
  return urls.set(openfga, urlWith(superuserUrl, { database: openfga, role: openfga, password }));
}

/**
 * Returns the credentials of each service's bus user (`users`), and the other secrets of the bus (`shared`). If
 * `nats.accountSeed` or `nats.credentials` is not given, uses the secrets of a NATS server of this deployment, and adds
 * the files of this server to `parts`.
 */
async function describeNats(state: State, given: GivenSettings, parts: Parts) {
  let [accountSeed, credentials] = [given.get('nats.accountSeed'), given.get('nats.credentials')];
  let [systemCredentials, operatorSeed] = [given.get('nats.systemCredentials'), given.get('nats.operatorSeed')];
  if (accountSeed === undefined || credentials === undefined) {
    const authority = await natsAuthority(state);
    ({ credentials, systemCredentials, operatorSeed, account: { seed: accountSeed } } = authority);
    parts.set('nats', {
      'nats.conf': natsConfiguration(authority, {
        listen: '0.0.0.0:4222', jetstream: '/data/jetstream', accounts: '/data/accounts', include: 'accounts.conf',
      }),
      'accounts.conf': natsPreload(authority),
    });
  }
  const account = accountOf(credentials);
  const users = new Map<string, string>();
  for (const { name, bus } of services) {
    if (bus === undefined) continue;
    users.set(name, await keptBusUser(state, { seed: accountSeed, account }, name, bus));
  }
  const shared: Values = {
    'nats.systemCredentials': systemCredentials, 'nats.accountSeed': accountSeed, 'nats.operatorSeed': operatorSeed,
  };
  return { shared, users };
}

async function describeOpenfga(state: State, uri: string | undefined, parts: Parts): Promise<string> {
  const key = await state.secret('openfga-preshared-key', { renewable: true });
  const configuration = openfgaConfiguration({
    // Without a host, OpenFGA listens on all addresses of the machine.
    httpAddress: ':8080', grpcAddress: '127.0.0.1:8081', datastoreUrl: uri, presharedKey: key,
  });
  parts.set(openfga, { 'config.yaml': yaml(configuration) });
  return key;
}

function settingsFile(values: Values): Record<string, string> {
  return { 'platform.yaml': yaml(values) };
}

/** Formats an object as JSON, which is also YAML. Members without a value are left out. */
function yaml(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
