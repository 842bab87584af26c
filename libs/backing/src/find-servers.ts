import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { natsAddress, openfgaAddress, postgresAddress } from './address.ts';
import { findBinary, type ServerBinary } from './find-binary.ts';
import type { FindOptions } from './find-options.ts';
import { goBuild } from './go-build.ts';
import type { NatsAddress } from './nats.ts';
import type { OpenfgaAddress } from './openfga.ts';
import { goPin, NATS, OPENFGA, POSTGRES, postgresPin, type GoTool, type Server } from './pins.ts';
import { pinnedPostgres } from './postgres-package.ts';
import type { PostgresAddress } from './postgres.ts';
import { unprivilegedUser } from './server-user.ts';

export interface FoundServers {
  readonly postgres: PostgresAddress | ServerBinary;
  readonly nats: NatsAddress | ServerBinary;
  readonly openfga: OpenfgaAddress | ServerBinary;
}

/** `$XDG_CACHE_HOME/platform`, else `~/.cache/platform`. */
export function defaultCacheDirectory(environment: FindOptions['environment']): string {
  const base = environment['XDG_CACHE_HOME'];
  // A relative path there is to be ignored (XDG Base Directory Specification).
  return join(base && isAbsolute(base) ? base : join(environment['HOME'] || homedir(), '.cache'), 'platform');
}

/**
 * Finds each server: an address in the environment, else a binary on the machine of the pinned major and minor, else
 * the pinned build, made where it is missing (OpenFGA takes minutes the first time; progress is reported).
 * An address is not called here: see `probePostgres`, `probeNats`, `probeOpenfga`.
 * @throws BackingFault ADDRESS_INVALID, SERVER_MISSING, BUILD_FAILED
 */
export async function findServers(options: FindOptions): Promise<FoundServers> {
  // All addresses first: a slip in the last one is not told after minutes of building.
  const { environment } = options;
  const addresses = {
    postgres: postgresAddress(environment),
    nats: await natsAddress(environment),
    openfga: openfgaAddress(environment),
  };
  return {
    postgres: addresses.postgres ?? (await findPostgres(options)),
    nats: addresses.nats ?? (await findGoServer(NATS, options)),
    openfga: addresses.openfga ?? (await findGoServer(OPENFGA, options)),
  };
}

async function findPostgres(options: FindOptions): Promise<ServerBinary> {
  const user = await unprivilegedUser();
  // PostgreSQL's releases within a major share everything but fixes: 18.4 here plays the part of 1.22.1 elsewhere.
  const series = postgresPin().split('.')[0]!;
  const path = options.environment['PATH'];
  const { report } = options;
  const onMachine = await findBinary({ server: POSTGRES, series, companions: ['initdb'], user, path, report });
  return onMachine ?? (await pinnedPostgres(cacheOf(options), user, options));
}

async function findGoServer(server: Server & GoTool, options: FindOptions): Promise<ServerBinary> {
  const series = (await goPin(server)).split('.').slice(0, 2).join('.');
  const path = options.environment['PATH'];
  const onMachine = await findBinary({ server, series, path, report: options.report });
  return onMachine ?? (await goBuild(server, cacheOf(options), options));
}

function cacheOf(options: FindOptions): string {
  return options.cacheDirectory ?? defaultCacheDirectory(options.environment);
}
