import { randomUUID } from 'node:crypto';
import { ok } from '../contracts/contract-world.ts';
import type { ConsoleWorld } from './console-world.ts';
import { saveTooLate } from './visitor.ts';

/** The owner imports a cluster by its UUID, gives it a title, and removes it. */
export async function ownerImportsClusters(world: ConsoleWorld): Promise<void> {
  const olga = await world.visit(world.owner);
  await olga.go('/orgs/acme/clusters');
  await olga.submit('Import a cluster', 'Import', ['Name', 'shop-floor'], ['UUID', randomUUID()]);
  await olga.sees('The cluster is imported');
  await olga.inRow('shop-floor', 'Edit');
  await olga.type('Title', 'A floor');
  ok(await world.owner.http.send('PATCH', '/api/v1/clusters/acme/shop-floor', { json: { displayName: 'The ground' } }));
  await saveTooLate(olga, /\/clusters\/acme\/shop-floor$/);
  await olga.sees('The ground');
  await olga.inRow('shop-floor', 'Edit');
  await olga.confirm('Save', ['Title', 'The shop floor']);
  await olga.sees('The shop floor');
  await olga.inRow('shop-floor', 'Remove');
  await olga.confirm('Remove', [/^Type shop-floor/, 'shop-floor']);
  await olga.sees('The cluster is removed');
}
