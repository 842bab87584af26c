import type { ConfigSource } from './config.ts';
import { createLogger } from './log.ts';
import { type RunningService, runService } from './run.ts';

/**
 * All that a service's `main.ts` does: reads the configuration from the environment, starts, waits, stops.
 *
 * ```ts
 * await runMain('clusters', readClustersConfig, start);
 * ```
 */
export async function runMain<ReadConfig extends { readonly stopTimeoutMs: number }>(
  name: string,
  read: (source: ConfigSource) => ReadConfig,
  start: (config: ReadConfig, stopping: AbortSignal) => Promise<RunningService>,
): Promise<void> {
  const log = createLogger({ service: name });
  const reading = Promise.try(read, { environment: process.env, log });
  // How long a stop may take is a setting too; what is wrong with the settings is said by the start that fails.
  const stopTimeoutMs = await reading.then((config) => config.stopTimeoutMs, () => undefined);
  const options = stopTimeoutMs === undefined ? { log } : { log, stopTimeoutMs };
  await runService(name, async (stopping) => start(await reading, stopping), options);
}
