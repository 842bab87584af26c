/** What every service needs: configuration, logs, metrics, traces, deadlines, health, start and stop. */
export * from './basics.ts';
export type { AdminOptions, AdminServer } from './admin-server.ts';
export { startAdminServer } from './admin-server.ts';
export { type Breaker, createBreaker } from './breaker.ts';
export type { Config, ConfigProblem, ConfigSource, Optional, Picks, SettingsRule } from './config.ts';
export { ConfigError, everySetting, givenTexts, optional, readConfig, stopRule } from './config.ts';
export { type DefinedService, defineService, type Start } from './define-service.ts';
export { mostFileHandles } from './file-handles.ts';
export type { Check, CheckResult, Readiness, ReadinessReport } from './health.ts';
export { createReadiness } from './health.ts';
export { coalesce } from './coalesce.ts';
export type { Limiter } from './limiter.ts';
export { createLimiter } from './limiter.ts';
export type { Logger, LoggerOptions } from './log.ts';
export { createLogger, silentLogger } from './log.ts';
export type {
  Counter,
  CounterSeries,
  Gauge,
  GaugeSeries,
  Histogram,
  HistogramOptions,
  HistogramSeries,
  MetricOptions,
  Metrics,
} from './metrics.ts';
export { createMetrics, noMetrics } from './metrics.ts';
export type { FailingJob, LostKey, OpenOptions, OpenService, ServiceConfig } from './open-service.ts';
export { openService, servicePicks } from './open-service.ts';
export { currentParty, onBehalfOf } from './party.ts';
export { observeQueues, type QueueState } from './queues.ts';
export { redactText } from './redact.ts';
export { requestIdOf } from './request-id.ts';
export type { ReadyMessage, RunningService, RunOptions } from './run.ts';
export { reportStartError, runService } from './run.ts';
export { runMain } from './run-main.ts';
export { serviceCredentialHeader } from './service-credential.ts';
export { createDigests, type Digests } from './digests.ts';
export { createSealer, type Sealed, type Sealer, SealBroken } from './sealing.ts';
export type { OidcProviderSetting } from './oidc-setting.ts';
export { seldom } from './seldom.ts';
export { addressesOf, addressPicks, baseUrlOf, baseUrlPicks, passedPathsOf, passPicks } from './address-picks.ts';
export type { Span, SpanAttributes, SpanKind, SpanOptions, TelemetryOptions, TraceHeaders } from './span.ts';
export { startTelemetry, traceHeaders, withSpan } from './telemetry.ts';
