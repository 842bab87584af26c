import type { IncomingMessage } from 'node:http';
import type { Logger, Metrics } from '@platform/service';
import { loggedPath } from './secret-path.ts';

interface AccessEntry {
  readonly request: Readonly<Pick<IncomingMessage, 'method' | 'url'>>;
  readonly requestId: string;
  readonly address: string;
  /** Template of the route; `unmatched` if the route is not known. */
  readonly route: string;
  /** Status of the answer; 499 if the caller disconnected before the answer began. */
  readonly status: number;
  readonly seconds: number;
  /** Reason of the refusal; undefined if the request was not refused. */
  readonly reason: string | undefined;
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Returns a function that counts a request, records its duration, and logs the request at level info. Clients cannot
 * create new label values: an unknown method counts as `other`, and an unknown route as `unmatched`. Neither the log
 * nor the metrics contain the query string.
 */
export function createAccessLog(log: Logger, metrics: Metrics): (observation: AccessEntry) => void {
  const requests = metrics.counter({
    name: 'http_requests_total', labels: ['method', 'route', 'status'], maxSeries: 10_000,
    help: 'Requests, by method, route template and status (499: the caller disconnected before the answer).',
  });
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds', labels: ['method', 'route'],
    help: 'Time from the request headers to the end of the answer, by method and route template.',
  });

  return ({ request, requestId, address, route, status, seconds, reason }) => {
    const method = knownMethods.has(request.method ?? '') ? request.method! : 'other';
    requests.add({ method, route, status: String(status) });
    durations.observe({ method, route }, seconds);
    if (!log.enabled('info')) return;
    const [target = '', query] = (request.url ?? '').split('?', 2);
    log.info({
      requestId, method, route, path: loggedPath(target, route),
      ...(query === undefined ? {} : { query: '[redacted]' }),
      status,
      ...(reason === undefined ? {} : { reason }),
      durationMs: Math.round(seconds * 10_000) / 10,
      address,
    }, 'request');
  };
}
