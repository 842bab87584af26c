import { translate } from '@platform/faults';
import type { RateLimiter } from '@platform/limits';
import express, { type IRoute, type Request, type RequestHandler, type Response, type Router } from 'express';
import type { Answer } from './answer.ts';
import type { Received } from './create-handler.ts';
import { allowAnswer, methodNotAllowed } from './error-answer.ts';
import { type Outcome, type Refuse, unmatched } from './outcome.ts';

/** `response.locals` of a request that {@link throughRouter} passes to a router. */
interface PageLocals {
  readonly received: Received;
  readonly answer: (answer: Answer) => void;
  /** Label of the route in the access log and in metrics. Default: the path of the Express route. */
  route?: string;
}

/**
 * Express middleware for pages. It never writes to the response. The handler of the server writes the answer, so that
 * the usual headers and limits apply.
 */
type PageHandler = RequestHandler<unknown, unknown, unknown, unknown, PageLocals>;

/** Creates an Express router. Paths are case-sensitive, and a trailing slash is ignored (open-points 1.2). */
export function createRouter(): Router {
  return express.Router({ caseSensitive: true });
}

/**
 * Adds a route for GET and HEAD. Pass the handlers to `get` of the returned route. OPTIONS is answered with `Allow`,
 * and other methods are refused with 405. Do not add routes in another way: for OPTIONS, Express itself would
 * write to the response.
 */
export function pageRoute(router: Router, path: string): IRoute {
  return router.route(path).all(refuseWrites);
}

/**
 * Returns a handler that answers with a page.
 * @param route label in the access log and in metrics; default: the path of the Express route
 */
export function page(answer: (received: Received) => Answer | Promise<Answer>, route?: string): PageHandler {
  return async (_request, { locals }) => {
    if (route !== undefined) locals.route = route;
    locals.answer(await answer(locals.received));
  };
}

/** Returns middleware that limits the rate of requests per address. */
export function limitAddresses(rateLimiter: RateLimiter): PageHandler {
  return (_request, { locals }, next) => next(rateLimiter.anonymous(locals.received.address));
}

/** Middleware that leaves the router if the method is neither GET nor HEAD. */
export const skipWrites: PageHandler = ({ method }, _response, next) => {
  next(isRead(method) ? undefined : 'router');
};

const refuseWrites: PageHandler = ({ method }, { locals }, next) => {
  if (isRead(method)) return next();
  locals.route = unmatched;
  if (method !== 'OPTIONS') throw methodNotAllowed(allowed);
  locals.answer(allowAnswer(allowed));
};

const allowed = 'GET, HEAD';

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** A path that Express reads as this server does. Express ignores fragments and hosts, and turns `\` into `/`. */
const ordinaryPath = /^\/[^#\\]*$/;

/**
 * Passes a request to a router whose handlers are made by {@link page}. An error of a handler becomes a refusal.
 * @returns undefined if no handler answers
 */
export async function throughRouter(router: Router, received: Received, refuse: Refuse): Promise<Outcome | undefined> {
  if (!ordinaryPath.test(received.path)) return undefined;
  const request = received.request as Request;
  const response = received.response as Response<unknown, PageLocals>;
  return new Promise((resolve) => {
    const labelled = () => response.locals.route ?? (request.route as IRoute | undefined)?.path ?? unmatched;
    const answer = (given: Answer) => {
      // Express removes the path of a mounted router from the URL. The access log needs the whole URL.
      request.url = request.originalUrl;
      resolve({ answer: given, route: labelled() });
    };
    response.locals = { received, answer };
    router(request, response, (error?: unknown) => {
      resolve(error ? refuse(translate(error), received.requestId, labelled()) : undefined);
    });
  });
}
