import type { Deployment, Method } from '@platform/surface';
import { deploymentFor, hosted, marketplaces } from './deployments.ts';
import { type CallWorld, startExampleWorld } from './example-world.ts';
import { startMarketplaceExamples } from './marketplace-examples.ts';

type Start = () => Promise<CallWorld & AsyncDisposable>;

/** The worlds in which the examples of these methods are tried, as rows of `describe.each`. */
export function worldsFor(methods: readonly Method[]): (readonly [type: string, Deployment, Start])[] {
  const needed = new Set(methods.map(deploymentFor));
  const all: (readonly [string, Deployment, Start])[] = [
    [hosted.type, hosted, startExampleWorld],
    ...marketplaces.map((one) => [one.type, one, () => startMarketplaceExamples(one)] as const),
  ];
  return all.filter(([, deployment]) => needed.has(deployment));
}
