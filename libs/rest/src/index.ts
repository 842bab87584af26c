/** Serves gRPC methods over REST: HTTP requests become gRPC calls, and gRPC responses become HTTP responses. */
export { InexactNumber } from './json/exact-number.ts';
export { isObject } from './json/free-form.ts';
export { malformed, parseDocument } from './json/parse-document.ts';
export { parseTimestamp } from './json/timestamp.ts';
export { type RestServer, serveRest } from './serve-rest.ts';
export { openUpstream } from './upstream.ts';
