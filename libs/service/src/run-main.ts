import type { DefinedService } from './define-service.ts';
import { createLogger } from './log.ts';
import { openService } from './open-service.ts';
import { runService } from './run.ts';

/** The whole `main.ts` of a service: reads the configuration from the environment, starts, waits, stops. */
export async function runMain({ name, read, start }: DefinedService): Promise<void> {
  const log = createLogger({ service: name });
  const reading = Promise.try(read, { environment: process.env, log });
  // The time limit of a stop is a setting, too. With an invalid configuration, the start fails and names the problems.
  const stopTimeoutMs = await reading.then((config) => config.stopTimeoutMs, () => undefined);
  const options = stopTimeoutMs === undefined ? { log } : { log, stopTimeoutMs };
  await runService(name, async (stopping) => {
    const config = await reading;
    return openService(name, config, stopping, (service) => start(service, config as never));
  }, options);
}
