import { type Config, type ConfigSource, type Picks, readConfig } from './config.ts';
import { createLogger } from './log.ts';
import { openService, type OpenService, type ServiceConfig } from './open-service.ts';
import { type RunningService, runService } from './run.ts';

/** Starts the parts that only this service has. Returns the addresses on which the service listens, by purpose. */
export type Start<Read> = (service: OpenService, config: Read) => Promise<RunningService['addresses']>;

export interface DefinedService {
  readonly name: string;
  /** Reads the configuration of the service. @throws ConfigError with all problems */
  readonly read: (source: ConfigSource) => ServiceConfig;
  /** The second argument must be a result of `read`. */
  readonly start: Start<never>;
}

/** Defines a service. An app exports it from `service.ts` as `service`, and `main.ts` runs it. */
export function defineService<const Picked extends Picks>(
  name: string, picks: Picked, start: Start<Config<Picked>>,
): DefinedService;
export function defineService<Read extends ServiceConfig>(
  name: string, read: (source: ConfigSource) => Read, start: Start<Read>,
): DefinedService;
export function defineService(
  name: string, picks: Picks | ((source: ConfigSource) => ServiceConfig), start: Start<never>,
): DefinedService {
  const read = typeof picks === 'function' ? picks : (source: ConfigSource) => readConfig(picks, source);
  return { name, read: read as DefinedService['read'], start };
}

/** The whole `main.ts` of a service: reads the configuration and calls {@link runService}. */
export async function runMain({ name, read, start }: DefinedService): Promise<void> {
  const log = createLogger({ service: name });
  const reading = Promise.try(read, { environment: process.env, log });
  // An invalid configuration is ignored here. The start below fails and reports the problems.
  const stopTimeoutMs = await reading.then((config) => config.stopTimeoutMs, () => undefined);
  const options = stopTimeoutMs === undefined ? { log } : { log, stopTimeoutMs };
  await runService(name, async (stopping) => {
    const config = await reading;
    return openService(name, config, stopping, (service) => start(service, config as never));
  }, options);
}
