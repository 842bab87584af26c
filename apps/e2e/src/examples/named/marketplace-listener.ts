import { randomUUID } from 'node:crypto';
import { connect, sql } from '@platform/postgres';
import { InstallerAdminServiceService } from '@platform/proto/marketplace/v1/installer';
import { fakeProvider, rpcClient } from '@platform/testing';
import { specCall } from '../../operator.ts';
import type { World } from '../../orgs/world.ts';
import type { ExampleOrganization } from '../names.ts';
import { nameClaim } from './orgs-teams.ts';

type Within = Pick<ExampleOrganization, 'names' | 'organization'>;

/** The cluster of the bakery's installer. */
const boundCluster = '0e9f6d1a-5b7c-4d2e-8f3a-6c4b2a1d0e5f';
const hosted = 'https://hosted.example.org';

/** A standalone organization that can be claimed; and an installer with a bound subscription. */
export async function nameMarketplace(world: World, within: Within): Promise<void> {
  await nameClaim(world, within.names, 'W5D8T2RJ9XQ4ZK7M3YBV6NHC1P', 'Umbrella');
  await nameInstaller(world, within, { marketplace: 'ProviderA', name: 'bakery', installer: 'f7a1c9e3g5i2k4m6o8q0' });
}

/** Things for examples of notifications: an installer that provider C binds, and one whose archive is downloaded. */
export async function nameInstallers(world: World, within: Within): Promise<void> {
  const { names, organization } = within;
  names.openly(21, organization.id);
  await nameInstaller(world, within, { marketplace: 'ProviderC', name: 'cakes', installer: 'c5e1a9g3i7k2m4o6q8s0' });
  const bread = { marketplace: 'ProviderA', name: 'bread', installer: 'd2b8f4h6j1l3n5p7r9t0' } as const;
  const installerId = await nameInstaller(world, within, bread);
  const json = { bindingInfo: { marketplace: 'ProviderA', installerId, clusterId: boundCluster } };
  const bound = await world.nobody.post('/marketplace/api/v1/marketplaces/providera/notification/resource', { json });
  const { pathname } = new URL(bound.json<{ link: string }>().link);
  names.openly(`${bread.installer}-0b5c9a7e3d1f2468ace013579bdf02468ace1357`, pathname.split('/').at(-2)!);
}

/** A platform with metering, for the subscriptions. */
export async function nameMetering(_world: World, { names, held }: ExampleOrganization): Promise<void> {
  const ready = held.use(await fakeProvider(() => ({ status: 200 }), { 500: {}, 429: {} }));
  names.openly(hosted, ready.url);
}

interface ShownInstaller {
  readonly marketplace: 'ProviderA' | 'ProviderC';
  readonly name: string;
  /** Its id in the examples. */
  readonly installer: string;
}

/** Makes an installer. On deployments without notifications, its subscription is bound by hand. @returns its id */
async function nameInstaller(
  { platform }: World, { names, organization }: Within, { marketplace, name, installer }: ShownInstaller,
): Promise<string> {
  const { serviceCredential, grpc, databases } = platform;
  const addresses = grpc['marketplace-listener'].split(',');
  await using installers = await rpcClient(InstallerAdminServiceService, addresses, { serviceCredential });
  const meteringUrl = String(names.meant.get(hosted) ?? hosted);
  const { installerId, subscriptionId } = await installers.createInstaller(
    { marketplace, name, owner: organization.username, meteringUrl, meteringToken: 'a1b2c3d4' }, specCall(),
  );
  names.openly(installer, installerId);
  if (marketplace === 'ProviderA' && name === 'bakery') {
    names.openly('b3k9d2m7q1v5t8r0c4n6', subscriptionId!);
    if (platform.settings['marketplace-listener']['deployment.type'] === 'Hosted') {
      await using rows = connect({ ...databases['marketplace-listener'], applicationName: 'spec' });
      const cluster = randomUUID();
      names.openly(boundCluster, cluster);
      await rows.execute(sql`update installer set cluster_uid = ${cluster}::uuid where public_id = ${installerId}`);
      await rows.execute(sql`
        update subscription set state = 'Bounded', bound_at = now(), billing_not_before = now()
         where public_id = ${subscriptionId!}`);
    }
  }
  return installerId;
}
