import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Readiness } from './health.ts';
import { formatAddress, parseAddress } from './address.ts';
import type { Metrics } from './metrics.ts';
import { redactText } from './redact.ts';

interface AdminOptions {
  /** `host:port`; port 0 chooses a free port. The value of the setting `admin.listen`. */
  readonly listen: string;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
}

/**
 * Serves `/livez`, `/readyz` and `/metrics` to operators and probes, separately from the API. The server keeps running
 * while the service finishes accepted work.
 */
export async function startAdminServer(options: AdminOptions): Promise<AsyncDisposable & { readonly address: string }> {
  const { host, port } = parseAddress(options.listen);
  showReadiness(options);
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000, keepAliveTimeout: 5_000 });
  server.on('request', (request, response) => {
    answer(options, request).then(
      (result) => send(response, result),
      () => send(response, json(500, { message: 'internal error' })),
    );
  });
  server.listen({ host, port });
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('the admin server has no port');
  return {
    address: formatAddress(host, bound.port),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

/** Exports the readiness and the result of each check as gauges. */
function showReadiness({ readiness, metrics }: AdminOptions): void {
  const ready = metrics.gauge({
    name: 'service_ready',
    help: '1 if this process is ready for requests, otherwise 0.',
  });
  const up = metrics.gauge({
    name: 'service_check_up', labels: ['check'],
    help: '1 if a check of this process succeeds, otherwise 0; by check.',
  });
  metrics.whenAsked(async () => {
    const report = await readiness.report();
    ready.set({}, Number(report.ready));
    for (const { name, ok } of report.checks) up.set({ check: name }, Number(ok));
  });
}

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly allow?: string;
}

async function answer({ readiness, metrics }: AdminOptions, request: IncomingMessage): Promise<Answer> {
  const path = (request.url ?? '/').split('?', 1)[0];
  if (path !== '/livez' && path !== '/readyz' && path !== '/metrics') return json(404, { message: 'Not Found' });
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return { ...json(405, { message: 'Method Not Allowed' }), allow: 'GET, HEAD' };
  }
  if (path === '/livez') return json(200, { live: true });
  if (path === '/metrics') {
    const { contentType, text } = await metrics.render();
    return { status: 200, contentType, body: text };
  }
  const report = await readiness.report();
  return json(report.ready ? 200 : 503, report);
}

function json(status: number, body: unknown): Answer {
  return { status, contentType: 'application/json', body: redactText(JSON.stringify(body)) };
}

function send(response: ServerResponse, { status, contentType, body, allow }: Answer): void {
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(allow === undefined ? {} : { allow }),
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
