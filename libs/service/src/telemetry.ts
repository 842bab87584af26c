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

export interface SpanOptions {
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

const idleSpan: Span = { set: () => undefined, fail: () => undefined };
const noHeaders: TraceHeaders = {};
let tracing: Tracing | undefined;

/**
 * Turns tracing on for this process when an endpoint is set. Dispose it last: that sends what is still held.
 * A collector that is away costs nothing but its spans.
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
 * Runs `work` as one step of the trace; steps inside it become its children. Without tracing it only calls `work`.
 * @param name bounded, e.g. `orgs.v1.OrganizationService/GetOrganization`; ids belong into attributes
 */
export function withSpan<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracing === undefined ? work(idleSpan) : tracing.run(name, options, work);
}

/** What to send along so that the next hop's spans join this trace; empty without tracing. */
export function traceHeaders(): TraceHeaders {
  return tracing === undefined ? noHeaders : tracing.headers();
}
