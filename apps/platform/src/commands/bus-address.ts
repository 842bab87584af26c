import { optional, readConfig, silentLogger } from '@platform/service';
import { CommandFault } from '../command-fault.ts';
import { stateHome } from '../home.ts';
import type { Environment } from '../settings.ts';
import { readRunFile } from '../run-file.ts';

/**
 * Returns the addresses in `nats.url`, separated by commas. If `nats.url` is not set, returns the address in the run
 * file.
 * @throws ConfigError; CommandFault if the run file is needed, but missing, unreadable or damaged
 */
export async function busAddress(environment: Environment): Promise<string> {
  const { natsUrl } = readConfig({ natsUrl: optional('nats.url') }, { environment, log: silentLogger });
  if (natsUrl !== undefined) return natsUrl.join(',');
  const home = stateHome(environment);
  const run = await readRunFile(home);
  if (run !== undefined) return run.nats;
  const cure = 'Start it with `npm start`, or name a bus with PLATFORM_NATS_URL.';
  throw new CommandFault(`No platform runs with the state folder ${home} (or it is still starting)`, cure);
}
