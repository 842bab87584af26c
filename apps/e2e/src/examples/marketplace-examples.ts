import type { Deployment } from '@platform/surface';
import { listenerHosts, listenerSettings } from '../marketplace/marketplace-world.ts';
import { startWorld } from '../orgs/world.ts';
import type { CallWorld } from './example-world.ts';
import { createNames } from './names.ts';
import { nameMarketplace } from './named/marketplace-listener.ts';
import { personOf } from './named/orgs-teams.ts';

/** What the examples of methods speak of that only marketplaces have, on one. */
export async function startMarketplaceExamples({ type, runMode }: Deployment): Promise<CallWorld & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const world = stack.use(await startWorld({
    hosts: listenerHosts, settings: { ...listenerSettings, 'deployment.type': type, 'run.mode': runMode },
  }));
  const names = createNames(true);
  const owner = await personOf(world, names, 'alice');
  const organization = await world.organization(owner, { username: names.text('acme'), full_name: 'Acme' });
  await nameMarketplace(world, { names });
  const made = stack.move();
  return {
    world, acme: { owner, organization }, meant: names.meant,
    as: { owner: owner.http, 'site admin': world.siteAdmin.http, nobody: world.nobody },
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  };
}
