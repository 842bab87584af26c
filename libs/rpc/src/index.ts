/** gRPC in the platform: calls, the guard before every method, servers and clients. */
export {
  type Account, type AccountContext, type Admission, AdmissionChanged, type CallContext, type CallerContext,
  type OrganizationAccount, type OrganizationContext, type OutgoingContext, type RepeatKey, type UserAccount,
} from './call-context.ts';
export { type ClassOf, classOfObject } from './guard/class-of-object.ts';
export {
  connect, type ConnectOptions, type PeerOptions, type RpcClient, type ServiceDefinition,
} from './client/client.ts';
export { createGuard, type Guard, type GuardOptions } from './guard/guard.ts';
export { missingScope, refuseNarrowToken } from './guard/scopes.ts';
export {
  type FoundObject, type GuardSources, type ObjectName, type ObjectOwner, objectsById, type ObjectSource,
} from './guard/guard-sources.ts';
export type { ContextOf, Handler, ObjectContext, RawBodyContext } from './server/handler.ts';
export type { KeptAnswers, ResponseCodec } from './server/kept-answers.ts';
export { type Handlers, implement, type Implementation } from './server/implement.ts';
export { onBehalfOfCaller } from './server/answer-call.ts';
export {
  deploymentOf, deploymentPicks, guardPicks, openGuard, openPeers, openRateLimiter, openRemoteGuard, openRpc,
  type Peers, type RpcConfig, rpcPicks,
} from './open-rpc.ts';
export { connectOwners, type OwnerPeer } from './owner-peers.ts';
export {
  knownStanding, type OwnersClient, ownersOf, remoteSources, type RemoteSourcesOptions,
} from './guard/remote-sources.ts';
export type { Relations } from './guard/relations-held.ts';
export { type RpcServer, type RpcServerOptions, startRpcServer } from './server/server.ts';
export { decodeFault, encodeFault } from './faults/status.ts';
export {
  type UnaryMethod, type CallerOptions, openReplicas, type Replicas, type Requests,
} from './client/replicas.ts';
export { entityTagOf, type Observed, observedFields, refuseOtherRevision } from './revision.ts';
export { wire } from './wire/wire.ts';
