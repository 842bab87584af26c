import { Gate } from '@platform/proto/options/controlplane/options';

/** The properties of a deployment that decide which methods exist (open-points 1.1). */
export interface Deployment {
  readonly type:
    | 'Hosted'
    | 'SelfHostedProduction'
    | 'CloudDemo'
    | 'OnpremDemo'
    | 'KubeAppDemo'
    | 'ProviderAMarketplace'
    | 'ProviderBMarketplace'
    | 'ProviderCMarketplace';
  readonly runMode: 'prod' | 'dev' | 'test';
  readonly billing: 'auto' | 'true' | 'false';
  /** Whether the methods for tests are registered, too. */
  readonly testRoutes?: boolean;
}

/** Whether a deployment has the methods with this gate (`controlplane.rest.gate`), over REST and gRPC. */
export function isRegistered(gate: Gate, deployment: Deployment): boolean {
  switch (gate) {
    case Gate.UNSPECIFIED:
      return true;
    case Gate.HOSTED:
      return deployment.type === 'Hosted';
    case Gate.BILLING:
      return deployment.billing === 'auto' ? deployment.type === 'Hosted' : deployment.billing === 'true';
    case Gate.MARKETPLACE_OR_DEV:
      return isMarketplace(deployment) || deployment.runMode === 'dev';
    case Gate.PROVIDER_A:
      return deployment.type === 'ProviderAMarketplace';
    case Gate.PROVIDER_C:
      return deployment.type === 'ProviderCMarketplace';
    case Gate.MARKETPLACE:
      return isMarketplace(deployment);
    case Gate.LISTENER:
      return hasListener(deployment);
    case Gate.MARKETPLACE_OR_BILLING:
      return isMarketplace(deployment) || isRegistered(Gate.BILLING, deployment);
    case Gate.DEV:
      return deployment.runMode === 'dev';
    case Gate.TEST:
      return deployment.testRoutes === true;
  }
}

/** Whether a deployment is sold through a marketplace. */
export function isMarketplace({ type }: { readonly type: string }): boolean {
  return type.endsWith('Marketplace');
}

/** Paths of the marketplace listener, which is a separate HTTP server. */
export const listenerPrefix = '/marketplace/';

/**
 * Whether the marketplace listener is deployed: for marketplaces, and in the deployment type Hosted for claims
 * (open-points 11.8).
 */
export function hasListener(deployment: Deployment): boolean {
  return isMarketplace(deployment) || deployment.type === 'Hosted';
}
