/** What services have in common, such as configuration, logs, metrics, traces, deadlines, health, start and stop. */
export * from './basics.ts';
export { type Breaker, createBreaker } from './breaker.ts';
export type { Config, ConfigProblem, ConfigSource, Optional, SettingsRule } from './config.ts';
export { ConfigError, everySetting, givenTexts, optional, readConfig, stopRule } from './config.ts';
export { type DefinedService, defineService, runMain, type Start } from './define-service.ts';
export { mostFileHandles } from './file-handles.ts';
export { createReadiness, type Readiness, type ReadinessReport } from './health.ts';
export { coalesce } from './coalesce.ts';
export { createLimiter, currentParty, type Limiter, onBehalfOf } from './limiter.ts';
export { createLogger, type Logger, silentLogger } from './log.ts';
export { createMetrics, type Metrics, noMetrics } from './metrics.ts';
export {
  type FailingJob, type LostKey, openService, type OpenService, type ServiceConfig, servicePicks,
} from './open-service.ts';
export { observeQueues, type QueueState } from './queues.ts';
export { requestIdOf } from './request-id.ts';
export { type ReadyMessage, reportStartError, type RunningService, runService } from './run.ts';
export { serviceCredentialHeader } from './service-credential.ts';
export { createDigests } from './digests.ts';
export { createSealer, type Sealed, type Sealer, SealBroken } from './sealing.ts';
export type { OidcProviderSetting } from './oidc-setting.ts';
export { seldom } from './seldom.ts';
export { addressesOf, addressPicks, baseUrlOf, baseUrlPicks, passedPathsOf, passPicks } from './address-picks.ts';
export type { SpanOptions, TraceHeaders } from './span.ts';
export { traceHeaders, withSpan } from './telemetry.ts';
