import { connect, sql } from '@platform/postgres';
import { until } from '@platform/testing';
import type { OwnHub } from '../../clusters/own-hub.ts';
import type { World } from '../../orgs/world.ts';
import type { ExampleOrganization } from '../example-world.ts';

/** A hub that the organization has imported. All organizations share it: objects of a hub are no secret of an owner. */
export async function nameClusters(
  hub: OwnHub, { platform }: World, { names, organization }: ExampleOrganization,
): Promise<void> {
  await hub.importInto(platform, organization.username, names.text('hub'));
  names.openly('0e8990a7-8b83-414c-8f56-7125b39cf40f', hub.uid);
  // Examples of contracts show it, too.
  const { url, schema } = platform.databases['contracts-licensing'];
  await using rows = connect({ url, schema, applicationName: 'spec' });
  const known = () => rows.maybeOne(sql<object>`
    select from imported_cluster where owner_id = ${organization.id} and uid = ${hub.uid}::uuid`);
  await until(known, { within: 20_000, what: 'contracts-licensing knows the hub' });
}
