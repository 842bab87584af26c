/**
 * REST for the methods of the protos. Methods are bound to routes, JSON and forms become messages, and responses become
 * answers.
 */
export { InexactNumber } from './json/exact-number.ts';
export { isObject } from './json/free-form.ts';
export { malformed, parseDocument } from './json/parse-document.ts';
export { parseTimestamp } from './json/timestamp.ts';
export type { LocalRoute } from './routes.ts';
export { type RestServer, type RestOptions, serveRest } from './serve-rest.ts';
export { openUpstream, type ReplicaState, type Upstream } from './upstream.ts';
