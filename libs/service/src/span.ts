import type { Secret } from './secret.ts';

/** The W3C Trace Context, as headers of HTTP requests or as metadata of gRPC calls. */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** One step of a trace. Attributes must not contain secrets or texts of unlimited length. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. If the work of the span throws, the span is marked automatically. */
  fail(reason: string): void;
}

export const idleSpan: Span = { set: () => undefined, fail: () => undefined };

export interface SpanOptions {
  /** Default: `internal`. A `client` span is recorded only if it has a parent. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** The parent of the span; default: the current span. */
  readonly from?: TraceHeaders;
}

export interface TelemetryOptions {
  readonly service: string;
  /** Base address of the OTLP/HTTP collector. Undefined: tracing is off, and the tracing SDK is not loaded. */
  readonly endpoint: string | undefined;
  /** Headers for the collector, each as `name=value`. */
  readonly headers?: readonly Secret[];
  /** Share of new traces to record, from 0 to 1. Default: 1. For the trace of a caller, the caller decides. */
  readonly sampleRatio?: number;
}

export interface Tracing extends AsyncDisposable {
  run<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  headers(): TraceHeaders;
}
