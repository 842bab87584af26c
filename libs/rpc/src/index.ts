/** gRPC as the platform speaks it: faults, calls, the guard in front of every method, servers and clients. */
export {
  type Account, type AccountContext, type Admission, AdmissionChanged, type CallContext, type CallerContext,
  type OrganizationAccount, type OrganizationContext, type OutgoingContext, requestIdOf, type UserAccount,
} from './call-context.ts';
export { type CallerLimiter, createCallerLimiter } from './guard/caller-limiter.ts';
export { type ClassOf, classOfObject } from './guard/class-of-object.ts';
export { isSessionToken, sessionToken, sessionValue, tokenRequired } from './credential.ts';
export {
  connect, type ConnectOptions, type PeerOptions, type RpcClient, type ServiceDefinition,
} from './client/client.ts';
export {
  deadlineExceeded, Fault, type FaultDetails, internalFault, mostViolations, notFound, type ReasonName, tooManyItems,
  translate, unavailable, type Violation,
} from './faults/fault.ts';
export { createGuard, type Guard, type GuardOptions } from './guard/guard.ts';
export { missingScope, refuseNarrowToken } from './guard/scopes.ts';
export {
  type FoundObject, type GuardSources, type ObjectName, type ObjectOwner, objectsById, type ObjectSource,
} from './guard/guard-sources.ts';
export type { ContextOf, Handler, ObjectContext, RawBodyContext } from './server/handler.ts';
export { implement, type Implementation } from './server/implement.ts';
export { CallersMemory } from './limits/memory.ts';
export {
  createRateLimiter, isBadCredential, isRateLimited, type RateLimiter, type RateLimits, rateLimitsOf, ratePicks,
  requestsOf, smallBody,
} from './limits/rate-limit.ts';
export { onBehalfOfCaller } from './server/answer-call.ts';
export { type SourceAddress, sourceAddressBy, sourceOf } from './limits/source-address.ts';
export { type Rate, TokenBuckets } from './limits/token-buckets.ts';
export { UnreadAnswers } from './limits/unread.ts';
export {
  deploymentOf, deploymentPicks, guardPicks, openGuard, openPeers, openRateLimiter, openRemoteGuard, openRpc,
  type Peers, type RpcConfig, rpcPicks,
} from './open-rpc.ts';
export { connectOwners, type OwnerPeer } from './owner-peers.ts';
export { type OwnersClient, ownersOf, remoteSources, type RemoteSourcesOptions } from './guard/remote-sources.ts';
export type { Relations } from './guard/relations-held.ts';
export { type RpcServer, type RpcServerOptions, startRpcServer } from './server/server.ts';
export { decodeFault, encodeFault } from './faults/status.ts';
export {
  type UnaryMethod, type CallerOptions, openReplicas, type Replicas, type Requests,
} from './client/replicas.ts';
export { wire } from './wire/wire.ts';
