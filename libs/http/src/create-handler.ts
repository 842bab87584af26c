import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { translate } from '@platform/faults';
import { type SourceAddress, sourceOf, UnreadAnswers } from '@platform/limits';
import { type Logger, type Metrics, onBehalfOf, requestIdOf } from '@platform/service';
import { createAccessLog } from './access-log.ts';
import { type Answer, isStream } from './answer.ts';
import { CallerGone } from './caller-gone.ts';
import { notFoundAnswer } from './error-answer.ts';
import type { Limits } from './limits.ts';
import { type Outcome, type Refuse, unmatched, type WholeOutcome } from './outcome.ts';
import { headFault, type RequestTarget, splitTarget } from './request-head.ts';
import type { HttpHandler } from './serve-http.ts';
import { writeAnswer, type WriteOptions } from './write-answer.ts';

/** A request whose request line and headers are valid. */
export interface Received extends RequestTarget {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly address: string;
}

interface HandlerOptions {
  readonly limits: Limits;
  readonly sourceAddress: SourceAddress;
  /**
   * Whether a server of the platform sent the request. In that case, `X-Forwarded-For` is the client's address.
   * Default: never.
   */
  readonly isPassedOn?: (headers: IncomingHttpHeaders) => boolean;
  readonly refuse: Refuse;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Returns the outcome for CONNECT and for methods that Node does not know. Default: {@link notFoundAnswer}. */
  readonly unknownMethod?: (target: string, requestId: string) => WholeOutcome;
}

/**
 * Creates the handler of a server. The handler checks the request line and the headers, calls `serve`, and sends the
 * answer. It writes the access log and the metrics.
 * @param serve returns the outcome. If it throws CallerGone, no answer is sent. Other errors are answered with a
 *   refusal.
 */
export function createHandler(serve: (received: Received) => Promise<Outcome>, options: HandlerOptions): HttpHandler {
  const { limits, refuse, log, metrics, unknownMethod = unknownPath } = options;
  const logAccess = createAccessLog(log, metrics);
  const unread = new UnreadAnswers(limits.unreadAnswers, log);
  metrics.observed({ name: 'http_requests_in_flight', help: 'Requests in progress.' }, () => underWay);
  let draining = false;
  let begun = 0;
  let underWay = 0;
  let becameIdle: (() => void) | undefined;

  function addressOf({ headers, socket }: IncomingMessage): string {
    const forwarded = headers['x-forwarded-for']?.toString();
    if (forwarded !== undefined && options.isPassedOn?.(headers)) return forwarded;
    return options.sourceAddress(socket.remoteAddress ?? '', forwarded);
  }

  /** Serves a request and returns the outcome; undefined if the caller no longer waits for an answer. */
  async function outcomeOf(
    request: IncomingMessage, response: ServerResponse, requestId: string, address: string,
  ): Promise<Outcome | undefined> {
    try {
      const fault = headFault(request, limits);
      if (fault) throw fault;
      const received = { request, response, requestId, address, ...splitTarget(request.url ?? '/') };
      return await onBehalfOf(sourceOf(address), () => serve(received));
    } catch (error) {
      if (error instanceof CallerGone) return undefined;
      return refuse(translate(error), requestId, unmatched, { close: true });
    }
  }

  async function write(request: IncomingMessage, response: ServerResponse, answer: Answer, how: WriteOptions) {
    try {
      await writeAnswer(request, response, answer, how);
    } catch (error) {
      log.warn({ requestId: how.requestId, error }, 'the answer could not be written');
      if (isStream(answer.body)) await answer.body.end();
      if (response.headersSent) return;
      // The answer has a header that HTTP does not permit. Send a refusal instead.
      const { answer: refused } = refuse(translate(error), how.requestId, unmatched);
      await writeAnswer(request, response, refused, { ...how, close: true });
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begunAt = performance.now();
    const requestId = requestIdOf(request.headers['x-request-id']);
    const address = addressOf(request);
    const outcome = await outcomeOf(request, response, requestId, address);
    const { answer, route = unmatched, reason, close = false } = outcome ?? {};
    const isGone = answer === undefined || response.destroyed;
    if (!isGone) {
      if (!isStream(answer.body)) {
        const cut = () => void request.socket.destroy();
        response.once('close', unread.hold(Buffer.byteLength(answer.body), sourceOf(address), cut));
      }
      await write(request, response, answer, { requestId, close: close || draining });
    } else if (answer && isStream(answer.body)) await answer.body.end();
    const status = isGone ? 499 : answer.status;
    logAccess({ request, requestId, address, route, status, seconds: (performance.now() - begunAt) / 1_000, reason });
  }

  return {
    refuseUnread: ({ requestId, peer, method, target = '', fault }) => {
      const { answer, route, reason } = fault ? refuse(fault, requestId, unmatched) : unknownMethod(target, requestId);
      const [address, request] = [options.sourceAddress(peer, undefined), { method, url: target }];
      logAccess({ request, requestId, address, route, status: answer.status, seconds: 0, reason });
      return answer;
    },
    handle: (request, response) => {
      begun += 1;
      underWay += 1;
      handle(request, response)
        .catch((error: unknown) => {
          log.error({ error }, 'request failed');
          response.destroy();
        })
        .finally(() => {
          underWay -= 1;
          if (underWay === 0) becameIdle?.();
        });
    },
    drain: () => {
      draining = true;
    },
    get begun() {
      return begun;
    },
    get underWay() {
      return underWay;
    },
    idle: () => (underWay === 0 ? Promise.resolve() : new Promise((resolve) => {
      becameIdle = resolve;
    })),
  };
}

const unknownPath = (): WholeOutcome => ({ answer: notFoundAnswer(), route: unmatched });
