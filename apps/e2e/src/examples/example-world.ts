import { type LabProvider, startLabProvider } from '@platform/lab/oidc';
import { connect, sql } from '@platform/postgres';
import { grpcServices, type SchemaServiceName } from '@platform/service';
import { type OwnBus, ownBus } from '@platform/testing';
import { ownHub } from '../clusters/own-hub.ts';
import { startWorld, type World } from '../orgs/world.ts';
import { fakeGrafana } from '../metricsproxy/fake-grafana.ts';
import { fakePerses } from '../metricsproxy/fake-perses.ts';
import type { PlatformOptions } from '../platform.ts';
import { type Named, shownBaseUrl } from './call-example.ts';
import { createNames, type ExampleOrganization } from './names.ts';
import { nameUsage } from './named/billing-dashboard.ts';
import { nameClusters } from './named/clusters.ts';
import { nameContracts } from './named/contracts-licensing.ts';
import { nameMarketplace, nameMetering } from './named/marketplace-listener.ts';
import { nameBackends } from './named/metricsproxy.ts';
import { nameOrganizations, personOf } from './named/orgs-teams.ts';

/**
 * Makes the things that the examples of a service name, in one organization, and registers their names. One function
 * per service; it runs for each organization, so it takes each text from `names.text`.
 */
type NameThings = (world: World, within: ExampleOrganization) => Promise<void>;

/** In order of dependency. */
const services: readonly NameThings[] = [
  nameOrganizations, nameContracts, nameUsage, nameBackends, nameMetering, nameMarketplace,
];

/** Everything needed to call methods by their examples. */
export interface CallWorld extends Named {
  readonly acme: Pick<ExampleOrganization, 'organization' | 'owner'>;
  readonly world: World;
}

/** The world of the API's examples: acme with its people, teams, roles, tokens and contracts. */
export interface ExampleWorld extends CallWorld, AsyncDisposable {
  readonly acme: ExampleOrganization;
  readonly bus: OwnBus;
  /** Makes another organization of other people, with things for all names. */
  another(): Promise<ExampleOrganization>;
}

export async function startExampleWorld(
  { settings, ...options }: Pick<PlatformOptions, 'settings' | 'ownProcess'> = {},
): Promise<ExampleWorld> {
  await using stack = new AsyncDisposableStack();
  const bus = await ownBus();
  const hub = stack.use(await ownHub({ spokes: 1 }));
  const grafana = stack.use(await fakeGrafana('credential'));
  const perses = stack.use(await fakePerses('platform:password'));
  const provider = stack.use(await startLabProvider({ redirectUris: [`${shownBaseUrl}/auth/oidc/lab/callback`] }));
  const world = stack.use(await startWorld({ ...options, settings: {
    ...bus.settings, 'http.baseURL': shownBaseUrl, 'auth.oidc': JSON.stringify([settingOf(provider)]),
    'flavora.url': grafana.url, 'flavora.credential': 'credential', 'flavora.publicURL': 'https://a.example.org',
    'flavorb.url': perses.url, 'flavorb.credential': 'platform:password', 'flavorb.publicURL': 'https://b.example.org',
    ...settings,
  } }));
  await keepKindsApart(world);
  const held = stack.use(new AsyncDisposableStack());

  async function organizationOf(asShown: boolean): Promise<ExampleOrganization> {
    const names = createNames(asShown);
    const owner = await personOf(world, names, 'alice');
    const organization = await world.organization(owner, {
      username: names.text('acme'), full_name: 'Acme',
      managerManagementClusterEndPoint: 'https://manager.example.org',
    });
    const made = { organization, owner, names, bus, held };
    for (const nameThings of services) await nameThings(world, made);
    await nameClusters(hub, world, made);
    return made;
  }

  const acme = await organizationOf(true);
  const made = stack.move();
  return {
    world, bus, acme, meant: acme.names.meant, another: () => organizationOf(false),
    as: { owner: acme.owner.http, 'site admin': world.siteAdmin.http, nobody: world.nobody },
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  };
}

/** The setting `auth.oidc` for the provider of the lab. */
export function settingOf({ issuer, clientId, clientSecret }: LabProvider) {
  return { name: 'lab', title: 'the lab', issuer, clientID: clientId, clientSecret };
}

/** Gives things of different kinds different ids, so that each number stands for one thing. */
async function keepKindsApart({ platform }: World): Promise<void> {
  let first = 0;
  for (const { name } of grpcServices.filter(({ schema }) => schema === true)) {
    const database = platform.databases[name as SchemaServiceName];
    await using rows = connect({ ...database, applicationName: 'spec' });
    const sequences = await rows.query(sql<{ sequence: string }>`
      select sequencename as sequence from pg_sequences where schemaname = ${database.schema} order by 1`);
    for (const { sequence } of sequences) {
      first += 1_000;
      await rows.query(sql`select setval(${`${database.schema}.${sequence}`}::regclass, ${String(first)}::bigint)`);
    }
  }
}
