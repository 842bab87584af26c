/** An HTTP/1.1 server within the platform's limits, and what requests and answers are made of. */
export { type AccessEntry, createAccessLog } from './access-log.ts';
export { type Answer, type AnswerStream, attachment, isStream, type WholeAnswer } from './answer.ts';
export { readToken, tokenParameters } from './credentials.ts';
export { errorAnswer, type ErrorFormat, mainErrors, notFoundAnswer } from './error-answer.ts';
export { type Limits, usualLimits } from './limits.ts';
export { createPassOn, type PassOn, type PassOnOptions } from './pass-on.ts';
export { percentDecode, percentDecodeRest } from './percent.ts';
export { parseQuery, type Query } from './query.ts';
export { type ArrivedBody, CallerGone, hasBody, passBody, readBody } from './read-body.ts';
export { headFault, splitTarget } from './request-head.ts';
export { type HttpHandler, serveHttp, type ServeHttpOptions } from './serve-http.ts';
export { writeAnswer, type WriteOptions } from './write-answer.ts';
