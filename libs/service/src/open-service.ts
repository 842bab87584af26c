import { startAdminServer } from './admin-server.ts';
import { type Config, optional } from './config.ts';
import type { Deadline } from './deadline.ts';
import { watchFileHandles } from './file-handles.ts';
import { createReadiness, type Readiness } from './health.ts';
import { createLogger, type Logger, type LoggerOptions } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { RunningService } from './run.ts';
import { startTelemetry } from './telemetry.ts';

/** The settings that every service reads. Durations are in milliseconds. */
export const servicePicks = {
  adminListen: 'admin.listen',
  stopTimeoutMs: 'stop.timeout',
  logLevel: 'log.level',
  telemetryEndpoint: optional('telemetry.endpoint'),
  telemetryHeaders: 'telemetry.headers',
  telemetrySampleRatio: 'telemetry.sampleRatio',
} as const;

export type ServiceConfig = Config<typeof servicePicks>;

/** What a service receives when it starts. */
export interface OpenService {
  readonly name: string;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Not ready until the start is complete. Then the checks added with `needs` decide, until the service stops. */
  readonly readiness: Readiness;
  /** The report of the service to `platform doctor`. */
  readonly report: ServiceReport;
  /** Aborts when the process is asked to stop, so that a start that still waits gives up. */
  readonly stopping: AbortSignal;
  /** Releases the resources of the service, last first, when the service stops or its start fails. */
  readonly stack: AsyncDisposableStack;
}

/** What a service reports (`controlplane.status.v1.StatusService`). Libraries such as libs/jobs set the functions. */
interface ServiceReport {
  /** Applied migrations of the service's schema; empty without a schema. */
  migrations(deadline: Deadline): Promise<readonly { readonly name: string; readonly appliedAt: string }[]>;
  failingJobs(deadline: Deadline): Promise<readonly FailingJob[]>;
  lostKeys(deadline: Deadline): Promise<readonly LostKey[]>;
}

/** A key that is missing in `secrets.encryptionKeys`, although secrets in a table were sealed with this key. */
export interface LostKey {
  readonly table: string;
  readonly keyId: string;
  readonly secrets: number;
}

/** A job that was tried several times without success (libs/jobs). */
export interface FailingJob {
  readonly task: string;
  readonly attempts: number;
  readonly lastError: string;
}

/** Options for a process that runs several services. */
interface OpenOptions {
  readonly destination?: LoggerOptions['destination'];
  /** Whether the service also reports the metrics of the process; default true. */
  readonly processMetrics?: boolean;
}

/**
 * Opens the log, metrics, traces and the admin server, then calls `start`. Until `start` resolves, `/readyz` answers
 * 503.
 */
export async function openService(
  name: string, config: ServiceConfig, stopping: AbortSignal,
  start: (service: OpenService) => Promise<RunningService['addresses']>,
  { destination, processMetrics = true }: OpenOptions = {},
): Promise<RunningService> {
  await using stack = new AsyncDisposableStack();
  const log = createLogger({ service: name, level: config.logLevel, ...(destination && { destination }) });
  const metrics = createMetrics({ service: name, defaults: processMetrics });
  const { telemetryEndpoint: endpoint, telemetryHeaders: headers, telemetrySampleRatio: sampleRatio } = config;
  stack.use(await startTelemetry({ service: name, endpoint, headers, sampleRatio }));
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
  return { addresses: { ...addresses, admin: admin.address }, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
