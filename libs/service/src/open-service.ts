import { startAdminServer } from './admin-server.ts';
import { type Config, optional } from './config.ts';
import type { Deadline } from './deadline.ts';
import { watchFileHandles } from './file-handles.ts';
import { createReadiness, type Readiness } from './health.ts';
import { createLogger, type Logger, type LoggerOptions } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { RunningService } from './run.ts';
import { startTelemetry } from './telemetry.ts';

/** What every service picks of the platform's settings. Durations are milliseconds. */
export const servicePicks = {
  adminListen: 'admin.listen',
  stopTimeoutMs: 'stop.timeout',
  logLevel: 'log.level',
  telemetryEndpoint: optional('telemetry.endpoint'),
  telemetryHeaders: 'telemetry.headers',
  telemetrySampleRatio: 'telemetry.sampleRatio',
} as const;

export type ServiceConfig = Config<typeof servicePicks>;

/** What a service that starts has at hand. */
export interface OpenService {
  readonly name: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Not ready until the start is done; then what was added with `needs` decides. */
  readonly readiness: Readiness;
  /** What the service reports to `platform doctor`. */
  readonly report: ServiceReport;
  /** Aborts when the process is asked to stop: a start that still waits gives up. */
  readonly stopping: AbortSignal;
  /** Releases what it holds, last first, when the service stops or its start fails. */
  readonly stack: AsyncDisposableStack;
}

/** What a service reports about itself (`controlplane.status.v1.StatusService`). The libraries behind it fill it in. */
export interface ServiceReport {
  /** Steps of its schema; none without a schema. */
  migrations(deadline: Deadline): Promise<readonly { readonly name: string; readonly appliedAt: string }[]>;
  /** Jobs that fail again and again; none without jobs. */
  failingJobs(deadline: Deadline): Promise<readonly FailingJob[]>;
  /** Keys that are missing while secrets are sealed with them; none without such secrets. */
  lostKeys(deadline: Deadline): Promise<readonly LostKey[]>;
}

/** A key that sealed secrets of a table and is not among `secrets.encryptionKeys`. */
export interface LostKey {
  readonly table: string;
  readonly keyId: string;
  /** How many. */
  readonly secrets: number;
}

/** A job that fails again and again (libs/jobs). */
export interface FailingJob {
  readonly task: string;
  readonly attempts: number;
  /** Message of the error of the last attempt. */
  readonly lastError: string;
}

/** What a process that holds several services has each of them do otherwise. */
export interface OpenOptions {
  /** Where its lines go; default standard output. */
  readonly destination?: LoggerOptions['destination'];
  /** Whether it reports the process, too (memory, event loop): one service of a process does; default true. */
  readonly processMetrics?: boolean;
}

/**
 * Opens a service: its log, metrics and traces, and the answers to probes; then `start` opens what this one is about,
 * and answers where it listens, by purpose. From the first moment on `/livez` answers, and `/readyz` says 503.
 * @param stopping as `runService` gives it
 */
export async function openService(
  name: string,
  config: ServiceConfig,
  stopping: AbortSignal,
  start: (service: OpenService) => Promise<RunningService['addresses']>,
  { destination, processMetrics = true }: OpenOptions = {},
): Promise<RunningService> {
  await using stack = new AsyncDisposableStack();
  const log = createLogger({ service: name, level: config.logLevel, ...(destination && { destination }) });
  const metrics = createMetrics({ service: name, defaults: processMetrics });
  stack.use(await startTelemetry({
    service: name,
    endpoint: config.telemetryEndpoint,
    headers: config.telemetryHeaders,
    sampleRatio: config.telemetrySampleRatio,
  }));
  const readiness = createReadiness();
  stack.use(watchFileHandles({ log, readiness }));
  let isStarted = false;
  readiness.needs('start', async () => {
    if (!isStarted) throw new Error('the service is starting');
  });
  const admin = stack.use(await startAdminServer({ listen: config.adminListen, readiness, metrics }));
  const report: ServiceReport = { migrations: async () => [], failingJobs: async () => [], lostKeys: async () => [] };
  const addresses = await start({ name, log, metrics, readiness, report, stopping, stack });
  isStarted = true;
  stack.defer(() => readiness.stop());
  const running = stack.move();
  return {
    addresses: { ...addresses, admin: admin.address },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
