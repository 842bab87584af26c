import type { Deployment } from '@platform/surface';
import { fakeProviderA, fakeProviderC } from '@platform/testing';
import { listenerHosts, listenerSettings } from '../marketplace/marketplace-world.ts';
import { startWorld } from '../orgs/world.ts';
import type { CallWorld } from './example-world.ts';
import { createNames } from './names.ts';
import { nameInstallers, nameMarketplace } from './named/marketplace-listener.ts';
import { personOf } from './named/orgs-teams.ts';

/** The things in examples that exist only on marketplaces, made on one of them. */
export async function startMarketplaceExamples({ type, runMode }: Deployment): Promise<CallWorld & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const [a, c] = [stack.use(await fakeProviderA()), stack.use(await fakeProviderC())];
  const world = stack.use(await startWorld({
    hosts: [...listenerHosts, 'contracts-licensing'],
    settings: {
      ...a.settings, ...c.settings,
      'services.billingDashboard': listenerSettings['services.billingDashboard'], 'services.clusters': '127.0.0.1:1',
      'deployment.type': type, 'run.mode': runMode, 'http.baseURL': 'https://platform.example.org',
      'marketplace.providerb.secret': 'between-us', 'marketplace.providerc.secret': 'between-us',
    },
  }));
  const names = createNames(true);
  const owner = await personOf(world, names, 'alice');
  const organization = await world.organization(owner, { username: names.text('acme'), full_name: 'Acme' });
  for (const nameThings of [nameMarketplace, nameInstallers]) await nameThings(world, { names, organization });
  const made = stack.move();
  return {
    world, acme: { owner, organization }, meant: names.meant,
    as: { owner: owner.http, 'site admin': world.siteAdmin.http, nobody: world.nobody },
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  };
}
