import {
  context, defaultTextMapGetter, defaultTextMapSetter, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider,
} from '@opentelemetry/sdk-trace';
import { redactText } from './redact.ts';
import { idleSpan } from './span.ts';
import type { Span, SpanAttributes, SpanOptions, TelemetryOptions, TraceHeaders, Tracing } from './span.ts';
import { platformVersion } from './version.ts';

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Starts the tracing SDK. `startTelemetry` imports this module only if tracing is enabled. */
export function createTracing(options: TelemetryOptions, endpoint: string): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: Object.fromEntries((options.headers ?? []).map((header) => splitHeader(header.reveal()))),
    timeoutMillis: 5_000,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.service, 'service.version': platformVersion }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampleRatio ?? 1) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const propagator = new W3CTraceContextPropagator();
  const tracer = provider.getTracer('platform');

  const run = async <Result>(name: string, spanOptions: SpanOptions, work: (span: Span) => Promise<Result>) => {
    const { kind = 'internal', attributes = {}, from } = spanOptions;
    const parent = from === undefined ? context.active() : propagator.extract(ROOT_CONTEXT, from, defaultTextMapGetter);
    // An outgoing call without a parent span does not start a trace. Background loops make such calls.
    if (kind === 'client' && trace.getSpan(parent) === undefined) return work(idleSpan);
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes: clean(attributes) }, parent);
    try {
      return await context.with(trace.setSpan(parent, span), async () =>
        work({
          set: (more) => void span.setAttributes(clean(more)),
          fail: (reason) => void span.setStatus({ code: SpanStatusCode.ERROR, message: redactText(reason) }),
        }),
      );
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
      throw error;
    } finally {
      span.end();
    }
  };

  return {
    run,
    headers: () => {
      const carrier: Record<string, string> = {};
      propagator.inject(context.active(), carrier, defaultTextMapSetter);
      return carrier as TraceHeaders;
    },
    [Symbol.asyncDispose]: async () => {
      context.disable();
      await provider.shutdown().catch(() => undefined);
    },
  };
}

function clean(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const result: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) result[name] = typeof value === 'string' ? redactText(value) : value;
  }
  return result;
}

function splitHeader(header: string): [string, string] {
  const at = header.indexOf('=');
  return at < 0 ? [header, ''] : [header.slice(0, at).trim(), header.slice(at + 1).trim()];
}
