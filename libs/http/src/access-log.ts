import type { IncomingMessage } from 'node:http';
import type { Logger, Metrics } from '@platform/service';
import { loggedPath } from './secret-path.ts';

/** What is logged of each request. */
export interface AccessEntry {
  readonly request: Readonly<Pick<IncomingMessage, 'method' | 'url'>>;
  readonly requestId: string;
  readonly address: string;
  /** Template of the route; `unmatched` when there is none. */
  readonly route: string;
  /** As answered; 499 when the caller had gone. */
  readonly status: number;
  readonly seconds: number;
  /** Reason of the refusal, if it was one. */
  readonly reason: string | undefined;
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * One line and one count per request: rate, errors and duration by route template, so that no caller can make labels.
 * Neither holds the query string.
 */
export function createAccessLog(log: Logger, metrics: Metrics): (observation: AccessEntry) => void {
  const requests = metrics.counter({
    name: 'http_requests_total',
    help: 'Requests answered, by method, route template and status (499: the caller disconnected).',
    labels: ['method', 'route', 'status'],
    maxSeries: 10_000,
  });
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request line to the answer, by method and route template.',
    labels: ['method', 'route'],
  });

  return ({ request, requestId, address, route, status, seconds, reason }) => {
    const method = knownMethods.has(request.method ?? '') ? request.method! : 'other';
    requests.add({ method, route, status: String(status) });
    durations.observe({ method, route }, seconds);
    if (!log.enabled('info')) return;
    const [target = '', query] = (request.url ?? '').split('?', 2);
    log.info(
      {
        requestId,
        method,
        route,
        path: loggedPath(target, route),
        ...(query === undefined ? {} : { query: '[redacted]' }),
        status,
        ...(reason === undefined ? {} : { reason }),
        durationMs: Math.round(seconds * 10_000) / 10,
        address,
      },
      'request',
    );
  };
}
