import { expect, it } from '@jest/globals';
import { Gate } from '@platform/proto/options/controlplane/options';
import { type Deployment, isRegistered } from './gates.ts';

const selfHosted: Deployment = { type: 'SelfHostedProduction', runMode: 'prod', billing: 'auto' };
const gates = Object.values(Gate).filter((gate): gate is Gate => typeof gate === 'number');

/** The gates that a deployment opens, without the gate that is always open. */
function openGates(deployment: Partial<Deployment>): string[] {
  expect(isRegistered(Gate.UNSPECIFIED, { ...selfHosted, ...deployment })).toBe(true);
  return gates
    .filter((gate) => gate !== Gate.UNSPECIFIED && isRegistered(gate, { ...selfHosted, ...deployment }))
    .map((gate) => Gate[gate]);
}

const onMarketplaces = ['MARKETPLACE', 'LISTENER', 'MARKETPLACE_OR_BILLING'];

/** The table of open-points 1.1 and 11.8, row by row. */
it.each<[Partial<Deployment>, string[]]>([
  [{ type: 'Hosted' }, ['HOSTED', 'BILLING', 'LISTENER', 'MARKETPLACE_OR_BILLING']],
  [{ type: 'Hosted', billing: 'false' }, ['HOSTED', 'LISTENER']],
  [{ type: 'SelfHostedProduction' }, []],
  [{ type: 'SelfHostedProduction', billing: 'true' }, ['BILLING', 'MARKETPLACE_OR_BILLING']],
  [{ type: 'SelfHostedProduction', runMode: 'dev' }, ['MARKETPLACE_OR_DEV', 'DEV']],
  [{ type: 'SelfHostedProduction', runMode: 'test' }, []],
  [{ type: 'SelfHostedProduction', testRoutes: true }, ['TEST']],
  [{ type: 'CloudDemo' }, []],
  [{ type: 'OnpremDemo' }, []],
  [{ type: 'KubeAppDemo' }, []],
  [{ type: 'ProviderAMarketplace' }, ['MARKETPLACE_OR_DEV', 'PROVIDER_A', ...onMarketplaces]],
  [{ type: 'ProviderBMarketplace' }, ['MARKETPLACE_OR_DEV', ...onMarketplaces]],
  [{ type: 'ProviderCMarketplace' }, ['MARKETPLACE_OR_DEV', 'PROVIDER_C', ...onMarketplaces]],
])('%j opens %j', (deployment, open) => {
  expect(openGates(deployment)).toEqual(open);
});
