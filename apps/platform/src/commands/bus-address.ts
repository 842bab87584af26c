import { optional, readConfig, silentLogger } from '@platform/service';
import { CommandFault } from '../command-fault.ts';
import { stateHome } from '../home.ts';
import type { Environment } from '../settings.ts';
import { readRunFile } from '../run-file.ts';

/**
 * The address at which members reach the bus: `nats.url`, otherwise the address in the run file of this state.
 * @throws ConfigError; CommandFault if `nats.url` is not set, and the run file is missing or damaged
 */
export async function busAddress(environment: Environment): Promise<string> {
  const { natsUrl } = readConfig({ natsUrl: optional('nats.url') }, { environment, log: silentLogger });
  if (natsUrl !== undefined) return natsUrl.join(',');
  const home = stateHome(environment);
  const run = await readRunFile(home);
  if (run !== undefined) return run.nats;
  const cure = 'Start it with `npm start`, or name a bus with PLATFORM_NATS_URL.';
  throw new CommandFault(`No platform runs on ${home}`, cure);
}
