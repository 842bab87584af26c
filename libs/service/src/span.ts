import type { Secret } from './secret.ts';

/** W3C trace context as it travels in gRPC metadata and HTTP headers. */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** One step of a trace. Attributes must not contain secrets or texts of unlimited length. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the step as failed. This happens automatically if the work throws. */
  fail(reason: string): void;
}

export const idleSpan: Span = { set: () => undefined, fail: () => undefined };

export interface SpanOptions {
  /** Default `internal`. A `client` step is recorded only inside another step: a call alone is not a trace. */
  readonly kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: SpanAttributes;
  /** The parent of the span; default: the current span. */
  readonly from?: TraceHeaders;
}

export interface TelemetryOptions {
  readonly service: string;
  /** OTLP/HTTP base address; undefined disables tracing, and the SDK is not loaded. */
  readonly endpoint: string | undefined;
  /** Headers, each as `name=value`. */
  readonly headers?: readonly Secret[];
  /** Share of recorded traces, 0 to 1; default 1. A caller's decision takes precedence. */
  readonly sampleRatio?: number;
}

export interface Tracing extends AsyncDisposable {
  run<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  headers(): TraceHeaders;
}
