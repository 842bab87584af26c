/** An HTTP/1.1 server within the platform's limits, and the parts of its requests and answers. */
export { type Answer, type AnswerStream, attachment, streamedBody, type WholeAnswer } from './answer.ts';
export { CallerGone, whenGone } from './caller-gone.ts';
export { createHandler, type Received } from './create-handler.ts';
export { type CookieRules, cookieRules, readCookie, readSessionCookie } from './cookies.ts';
export { readCredential, readToken, tokenParameters } from './credentials.ts';
export {
  allowAnswer, type ErrorFormat, listenerErrors, mainErrors, methodNotAllowed, notFoundAnswer,
} from './error-answer.ts';
export { type Limits, usualLimits } from './limits.ts';
export { type Outcome, type Refuse, refusingIn, unmatched } from './outcome.ts';
export { createRouter, limitAddresses, page, pageRoute, skipWrites, throughRouter } from './pages.ts';
export { createPassOn, isPassedOnTo, type PassOn, sessionPassedOn } from './pass-on.ts';
export { percentDecode, percentDecodeRest } from './percent.ts';
export { parseQuery, type Query } from './query.ts';
export { askForBody, hasBody, isArriving, passBody, readBody } from './read-body.ts';
export { splitTarget } from './request-head.ts';
export type { Router } from 'express';
export { type HttpHandler, serveHttp, throughExpress } from './serve-http.ts';
