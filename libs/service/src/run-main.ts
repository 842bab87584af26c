import { type Config, type ConfigSource, type Picks, readConfig } from './config.ts';
import { createLogger } from './log.ts';
import { openService, type OpenService, type ServiceConfig } from './open-service.ts';
import { type RunningService, runService } from './run.ts';

/** Opens what a service is about. Returns where it listens, by purpose. */
export type Start<Read> = (service: OpenService, config: Read) => Promise<RunningService['addresses']>;

/**
 * All that the `main.ts` of a service does: reads the configuration from the environment, starts, waits, stops.
 *
 * ```ts
 * await runMain('clusters', picks, start);
 * ```
 *
 * @param picks the settings the service reads, or a function that reads them
 */
export async function runMain<const Picked extends Picks>(
  name: string,
  picks: Picked,
  start: Start<Config<Picked>>,
): Promise<void>;
export async function runMain<Read extends ServiceConfig>(
  name: string,
  read: (source: ConfigSource) => Read,
  start: Start<Read>,
): Promise<void>;
export async function runMain(
  name: string,
  picks: Picks | ((source: ConfigSource) => ServiceConfig),
  start: Start<never>,
): Promise<void> {
  const log = createLogger({ service: name });
  const read = (source: ConfigSource) => {
    return (typeof picks === 'function' ? picks(source) : readConfig(picks, source)) as ServiceConfig;
  };
  const reading = Promise.try(read, { environment: process.env, log });
  // How long a stop may take is a setting too. A start without a usable configuration fails and names what is wrong.
  const stopTimeoutMs = await reading.then((config) => config.stopTimeoutMs, () => undefined);
  const options = stopTimeoutMs === undefined ? { log } : { log, stopTimeoutMs };
  await runService(name, async (stopping) => {
    const config = await reading;
    return openService(name, config, stopping, (service) => start(service, config as never));
  }, options);
}
