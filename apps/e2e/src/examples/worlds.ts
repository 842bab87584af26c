import type { Deployment, Method } from '@platform/surface';
import { deploymentFor, hosted, marketplaces } from './deployments.ts';
import { type CallWorld, startExampleWorld } from './example-world.ts';
import { startMarketplaceExamples } from './marketplace-examples.ts';

type Row = readonly [type: string, Deployment, start: () => Promise<CallWorld & AsyncDisposable>];

/** The worlds in which the examples of these methods are tried, as rows of `describe.each`. */
export function worldsFor(methods: readonly Method[]): Row[] {
  const needed = new Set(methods.map(deploymentFor));
  const onMarketplaces = marketplaces.map((one): Row => [one.type, one, () => startMarketplaceExamples(one)]);
  const all: Row[] = [[hosted.type, hosted, startExampleWorld], ...onMarketplaces];
  return all.filter(([, deployment]) => needed.has(deployment));
}
