import { idleSpan } from './span.ts';
import type { Span, SpanOptions, TelemetryOptions, TraceHeaders, Tracing } from './span.ts';

let tracing: Tracing | undefined;

/**
 * Enables tracing for this process if an endpoint is set. Disposing the result sends the remaining spans, so dispose it
 * last. If the collector is unavailable, spans are lost.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<AsyncDisposable> {
  if (options.endpoint === undefined) return { [Symbol.asyncDispose]: async () => undefined };
  const { createTracing } = await import('./tracing.ts');
  const started = createTracing(options, options.endpoint);
  tracing = started;
  return {
    [Symbol.asyncDispose]: async () => {
      if (tracing === started) tracing = undefined;
      await started[Symbol.asyncDispose]();
    },
  };
}

/**
 * Runs `work` as a span of the trace. Spans inside `work` become its children. Without tracing, it only calls `work`.
 * @param name a name from a bounded set, e.g. `orgs.v1.OrganizationService/GetOrganization`. Put ids into attributes
 */
export function withSpan<Result>(
  name: string, options: SpanOptions, work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracing === undefined ? work(idleSpan) : tracing.run(name, options, work);
}

/** Headers that make the spans of the next hop part of this trace; empty without tracing. */
export function traceHeaders(): TraceHeaders {
  return tracing?.headers() ?? {};
}
