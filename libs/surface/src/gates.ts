import { Gate } from '@platform/proto/options/controlplane/options';

/** The properties of a deployment that decide which methods exist (open-points 1.1). */
export interface Deployment {
  readonly type:
    | 'Hosted' | 'SelfHostedProduction' | 'CloudDemo' | 'OnpremDemo' | 'KubeAppDemo'
    | 'ProviderAMarketplace' | 'ProviderBMarketplace' | 'ProviderCMarketplace';
  readonly runMode: 'prod' | 'dev' | 'test';
  readonly billing: 'auto' | 'true' | 'false';
  readonly testRoutes?: boolean;
}

const hasBilling = ({ billing, type }: Deployment): boolean =>
  billing === 'auto' ? type === 'Hosted' : billing === 'true';

const isOpen: Readonly<Record<Gate, (deployment: Deployment) => boolean>> = {
  [Gate.UNSPECIFIED]: () => true,
  [Gate.HOSTED]: ({ type }) => type === 'Hosted',
  [Gate.BILLING]: hasBilling,
  [Gate.MARKETPLACE_OR_DEV]: (deployment) => isMarketplace(deployment) || deployment.runMode === 'dev',
  [Gate.PROVIDER_A]: ({ type }) => type === 'ProviderAMarketplace',
  [Gate.PROVIDER_C]: ({ type }) => type === 'ProviderCMarketplace',
  [Gate.MARKETPLACE]: isMarketplace,
  [Gate.LISTENER]: hasListener,
  [Gate.MARKETPLACE_OR_BILLING]: (deployment) => isMarketplace(deployment) || hasBilling(deployment),
  [Gate.DEV]: ({ runMode }) => runMode === 'dev',
  [Gate.TEST]: ({ testRoutes }) => testRoutes === true,
};

/** Whether a deployment has the methods with this gate (`controlplane.rest.gate`), over REST and gRPC. */
export function isRegistered(gate: Gate, deployment: Deployment): boolean {
  return isOpen[gate](deployment);
}

export function isMarketplace({ type }: { readonly type: string }): boolean {
  return type.endsWith('Marketplace');
}

/** Prefix of the paths of the marketplace listener, which is a separate HTTP server. */
export const listenerPrefix = '/marketplace/';

/** Whether a deployment has the marketplace listener. `Hosted` has it only for claims (open-points 11.8). */
export function hasListener(deployment: Deployment): boolean {
  return isMarketplace(deployment) || deployment.type === 'Hosted';
}
