import { ClaimServiceService } from '@platform/proto/orgs/v1/claim';
import { rpcClient } from '@platform/testing';
import type { Host, RunningPlatform } from '../platform.ts';

/** What the listener needs to answer, beside the gateway. */
export const listenerHosts: readonly Host[] = ['orgs-teams', 'authz', 'marketplace-listener'];

/** Where nobody answers. */
const nobody = '127.0.0.1:1';

/** Services that the listener calls and that {@link listenerHosts} leave out. */
export const listenerSettings = { 'services.contractsLicensing': nobody, 'services.billingDashboard': nobody };

/** The claims of standalone organizations, as services of ours reach them. */
export function claimsOf({ grpc, serviceCredential }: RunningPlatform) {
  return rpcClient(ClaimServiceService, grpc['orgs-teams'].split(','), { serviceCredential });
}
