/** gRPC in the platform: calls, the guard before every method, servers and clients. */
export {
  type Account, type AccountContext, type Admission, AdmissionChanged, type CallContext, type CallerContext,
  type OrganizationContext, type OutgoingContext, type RepeatKey,
} from './call-context.ts';
export { classOfObject } from './guard/class-of-object.ts';
export {
  connect, type ConnectOptions, type PeerOptions, type RpcClient, type ServiceDefinition,
} from './client/client.ts';
export { createGuard, type Guard } from './guard/guard.ts';
export { missingScope, refuseNarrowToken } from './guard/scopes.ts';
export {
  type FoundObject, type GuardSources, type ObjectOwner, objectsById, type ObjectSource,
} from './guard/guard-sources.ts';
export type { Handler, ObjectContext } from './server/handler.ts';
export type { KeptAnswers, ResponseCodec } from './server/kept-answers.ts';
export { type Handlers, implement, type Implementation } from './server/implement.ts';
export { onBehalfOfCaller } from './server/answer-call.ts';
export {
  deploymentOf, deploymentPicks, guardPicks, openGuard, openPeers, openRateLimiter, openRpc, type Peers,
  type RpcConfig, rpcPicks,
} from './open-rpc.ts';
export { connectOwners, type OwnerPeer } from './owner-peers.ts';
export { knownStanding, ownersOf, remoteSources } from './guard/remote-sources.ts';
export { type RpcServer, startRpcServer } from './server/server.ts';
export { decodeFault, encodeFault } from './faults/status.ts';
export { type UnaryMethod, type CallerOptions, openReplicas, type Replicas, type Requests } from './client/replicas.ts';
export { type Observed, observedFields, refuseOtherRevision } from './revision.ts';
export { wire } from './wire/wire.ts';
