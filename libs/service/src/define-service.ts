import { type Config, type ConfigSource, type Picks, readConfig } from './config.ts';
import type { OpenService, ServiceConfig } from './open-service.ts';
import type { RunningService } from './run.ts';

/** Opens the specific part of a service. Returns the addresses on which it listens, by purpose. */
export type Start<Read> = (service: OpenService, config: Read) => Promise<RunningService['addresses']>;

/** A service that any process can open. Made by {@link defineService}. */
export interface DefinedService {
  readonly name: string;
  /** @throws ConfigError with all problems */
  readonly read: (source: ConfigSource) => ServiceConfig;
  /** Takes the result of `read`. */
  readonly start: Start<never>;
}

/**
 * Defines a service. The `service.ts` of each app exports it as `service`, so that its `main.ts` can run it, and so
 * that the process of a spec can hold several services.
 * @param picks the settings the service reads, or a function that reads them
 */
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
