/** REST for the methods of the protos: bindings become routes, JSON and forms become messages, responses answers. */
export type { LocalRoute } from './routes.ts';
export { type RestServer, type RestOptions, serveRest } from './serve-rest.ts';
export { openUpstream, type ReplicaState, type Upstream } from './upstream.ts';
