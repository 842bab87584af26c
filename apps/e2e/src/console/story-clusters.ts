import type { ConsoleWorld } from './console-world.ts';

/** Story 5: the operator opens a hub, makes a cluster set, looks at its features, and binds a namespace. */
export async function operatorManagesClusters(world: ConsoleWorld): Promise<void> {
  const olga = await world.visit(world.owner);
  await olga.go('/orgs/acme/clusters');
  await olga.type('Open a hub', 'hub');
  await olga.click('Open');
  await olga.page.getByRole('heading', { level: 1, name: 'hub' }).waitFor();
  await olga.click('New cluster set');
  await olga.type('Name', world.hubPrefix);
  await olga.confirm('Create');
  await olga.sees('The cluster set is created');
  await olga.click(world.hubPrefix);
  await olga.sees('No clusters in this set');
  await olga.inRow(world.hubPrefix, 'Delete');
  await olga.confirm('Delete');
  await olga.sees('The cluster set is deleted');
  await olga.click('Namespaces', 'tab');
  await olga.sees(/namespace/i);
}
