import { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import { rpcClient } from '@platform/testing';
import type { Host, RunningPlatform } from '../platform.ts';

/** Services that the listener needs to answer, besides the gateway. */
export const listenerHosts: readonly Host[] = ['orgs-teams', 'authz', 'marketplace-listener'];

/** An address at which nothing listens. */
export const nobody = '127.0.0.1:1';

/** Addresses for services that the listener calls but that are not in {@link listenerHosts}. */
export const listenerSettings = { 'services.contractsLicensing': nobody, 'services.billingDashboard': nobody };

/** A client for the claims of standalone organizations, as our services call them. */
export function claimsOf({ grpc, serviceCredential }: RunningPlatform) {
  return rpcClient(ClaimServiceService, grpc['orgs-teams'].split(','), { serviceCredential });
}
