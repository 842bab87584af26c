import { optional, readConfig, silentLogger } from '@platform/service';
import { CommandFault } from '../command-fault.ts';
import { stateHome } from '../home.ts';
import type { Environment } from '../settings.ts';
import { readRunFile } from '../run-file.ts';

/**
 * The address at which members reach the bus: `nats.url`, otherwise that of the platform on this state. @throws
 * CommandFault
 */
export async function busAddress(environment: Environment): Promise<string> {
  const { natsUrl } = readConfig({ natsUrl: optional('nats.url') }, { environment, log: silentLogger });
  if (natsUrl !== undefined) return natsUrl.join(',');
  const home = stateHome(environment);
  const run = await readRunFile(home);
  if (run !== undefined) return run.nats;
  throw new CommandFault(
    `No platform runs on ${home}`, 'Start it with `npm start`, or name a bus with PLATFORM_NATS_URL.',
  );
}
