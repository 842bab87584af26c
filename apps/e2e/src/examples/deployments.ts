import { type Deployment, isRegistered, type Method } from '@platform/surface';

/** The deployment type and run mode in which most endpoints can be tried. */
export const hosted: Deployment = { type: 'Hosted', runMode: 'dev', billing: 'auto' };

/** The deployments in which the other endpoints can be tried. */
export const marketplaces: readonly Deployment[] = [
  { ...hosted, type: 'ProviderAMarketplace' }, { ...hosted, type: 'ProviderCMarketplace' },
];

/** The first deployment that has the method; its example is tried there. */
export function deploymentFor({ rest, fullName }: Method): Deployment {
  const found = [hosted, ...marketplaces].find((deployment) => isRegistered(rest.gate, deployment));
  if (found === undefined) throw new Error(`${fullName} is tried in no deployment`);
  return found;
}
