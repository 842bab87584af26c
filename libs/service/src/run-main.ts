import type { DefinedService } from './define-service.ts';
import { createLogger } from './log.ts';
import { openService } from './open-service.ts';
import { runService } from './run.ts';

/**
 * All that the `main.ts` of a service does: reads the configuration from the environment, starts, waits, stops.
 *
 * ```ts
 * await runMain(service);
 * ```
 */
export async function runMain({ name, read, start }: DefinedService): Promise<void> {
  const log = createLogger({ service: name });
  const reading = Promise.try(read, { environment: process.env, log });
  // How long a stop may take is a setting too. A start without a usable configuration fails and names what is wrong.
  const stopTimeoutMs = await reading.then((config) => config.stopTimeoutMs, () => undefined);
  const options = stopTimeoutMs === undefined ? { log } : { log, stopTimeoutMs };
  await runService(name, async (stopping) => {
    const config = await reading;
    return openService(name, config, stopping, (service) => start(service, config as never));
  }, options);
}
