import { optional, readConfig, silentLogger } from '@platform/service';
import { CommandFault } from '../command-fault.ts';
import { stateHome } from '../home.ts';
import type { Environment } from '../settings.ts';
import { readRunFile } from '../run-file.ts';

/**
 * Returns `nats.url`, or else the address of the bus in the run file of this state.
 * @throws ConfigError; CommandFault without `nats.url`, if the run file is missing, unreadable or damaged
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
