import type { Secret } from './secret.ts';

/** W3C trace context as it travels in gRPC metadata and HTTP headers. */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** One step of a trace. Attributes must hold no secrets and no unbounded texts. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the step as failed; done by itself when the work throws. */
  fail(reason: string): void;
}

/** Stands in where nothing is recorded. */
export const idleSpan: Span = { set: () => undefined, fail: () => undefined };

export interface SpanOptions {
  /** Default `internal`. A `client` step is recorded only inside another: a call by itself is no trace. */
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /** Where the trace comes from; default: the span this one is called in. */
  readonly from?: TraceHeaders;
}

export interface TelemetryOptions {
  readonly service: string;
  /** OTLP/HTTP base address; undefined leaves tracing off, at nearly no cost (no SDK is loaded). */
  readonly endpoint: string | undefined;
  /** Each `name=value`. */
  readonly headers?: readonly Secret[];
  /** Share of traces recorded, 0 to 1; default 1. A caller's decision is followed. */
  readonly sampleRatio?: number;
}

/** What carries spans while tracing is on; see tracing.ts. */
export interface Tracing extends AsyncDisposable {
  run<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  headers(): TraceHeaders;
}
