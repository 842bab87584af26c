import { createServer, type IncomingHttpHeaders } from 'node:http';
import { listen } from './sockets.ts';

/** A span as sent. */
export interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  /** Code 2 means that the span failed. */
  readonly status: { readonly code?: number };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  /** `service.name` of the sender. */
  readonly service: string;
}

/** Accepts traces over OTLP/HTTP as a collector does, and keeps the received spans. */
export interface OtlpCollector extends AsyncDisposable {
  /** Value for the setting `telemetry.endpoint`. */
  readonly endpoint: string;
  readonly spans: readonly SentSpan[];
  /** Headers of each request. */
  readonly headers: readonly IncomingHttpHeaders[];
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: SentSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<SentSpan, 'service'>[] }[];
  }[];
}

export async function otlpCollector(): Promise<OtlpCollector> {
  const spans: SentSpan[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      headers.push(request.headers);
      for (const { resource, scopeSpans } of (JSON.parse(Buffer.concat(chunks).toString()) as Sent).resourceSpans) {
        const name = resource.attributes.find(({ key }) => key === 'service.name')?.value['stringValue'];
        for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, service: String(name) })));
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return {
    spans, headers, endpoint: `http://${await listen(server)}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
