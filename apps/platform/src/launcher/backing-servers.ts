import {
  findServers,
  type FoundServers,
  type NatsAccess,
  type OpenfgaAccess,
  planNats,
  planOpenfga,
  planPostgres,
  probeNats,
  probeOpenfga,
  probePostgres,
  type Reaper,
  type State,
} from '@platform/backing';
import { provision, provisionDatabase } from '@platform/postgres';
import { Secret, type Service } from '@platform/service';
import { serverPart } from './server-part.ts';
import type { Environment } from './settings.ts';
import type { Part } from './supervisor.ts';

/** One backing server: run here as a part, or somebody else's, which is only asked whether it answers. */
export interface BackingServer<Access> {
  readonly name: string;
  /** Undefined for one that somebody else runs. */
  readonly part: Part | undefined;
  /** How to use it; valid once it is ready. */
  access(): Access;
  /** Asks it once. @throws BackingFault NOT_READY */
  probe(signal: AbortSignal): Promise<void>;
}

export interface BackingServers {
  /** Its access is the URL of a role that may create roles and databases. */
  readonly postgres: BackingServer<string>;
  readonly nats: BackingServer<NatsAccess>;
  readonly openfga: BackingServer<OpenfgaAccess>;
  /** Makes databases, roles and schemas that are missing. Answers the URL of each service that has a schema. */
  provision(): Promise<ReadonlyMap<string, string>>;
}

export interface BackingOptions {
  readonly environment: Environment;
  readonly state: State;
  readonly reaper: Reaper;
  readonly entries: readonly Service[];
  /** How long a service may be silent; a server is given more. */
  readonly silenceMs: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * A server takes longer to come back than a service and hangs seldom: NATS and OpenFGA may be silent twice as long.
 * PostgreSQL, which may be slow for minutes and loses nothing but time by it, ten times; it is then asked to shut down
 * in order, with time for its checkpoint, before it is killed (ADR 0032).
 */
const patience = { postgres: 10, nats: 2, openfga: 2 };
const postgresGraceMs = 60_000;

const database = 'platform';
const openfgaDatabase = 'openfga';

/** Finds the three servers (building what is missing); they are not started yet. @throws BackingFault */
export async function openBackingServers(options: BackingOptions): Promise<BackingServers> {
  const { environment, state, reaper, report, signal } = options;
  const found = await findServers({ environment, report, signal });
  const logged = (name: keyof typeof patience) => ({
    logFile: state.logFile(name), reaper, silenceMs: options.silenceMs * patience[name],
  });
  let openfgaUrl: string | undefined;

  const postgres = openPostgres(found, options, { ...logged('postgres'), graceMs: postgresGraceMs });
  const openfga = openOpenfga(found, options, logged('openfga'), () => {
    if (openfgaUrl === undefined) throw new RangeError('OpenFGA has no database yet');
    return openfgaUrl;
  });
  return {
    postgres,
    nats: openNats(found, options, logged('nats')),
    openfga,
    provision: async () => {
      const superuserUrl = new Secret(postgres.access());
      const withSchema = options.entries.filter(({ schema }) => schema === true);
      const wanted = await Promise.all(withSchema.map(async ({ name }) => ({
        service: name,
        password: new Secret(await state.secret(`postgres-${name}-password`, { renewable: true })),
      })));
      const password = new Secret(await state.secret('postgres-openfga-password', { renewable: true }));
      const provisioned = await provision({ superuserUrl, database, services: wanted });
      if (openfga.part !== undefined) {
        const names = { database: openfgaDatabase, role: openfgaDatabase };
        openfgaUrl = (await provisionDatabase({ superuserUrl, password, ...names })).url.reveal();
      }
      return new Map(provisioned.map(({ service, url }) => [service, url.reveal()]));
    },
  };
}

type Logged = Parameters<typeof serverPart>[3];

function openPostgres(found: FoundServers, { state }: BackingOptions, logged: Logged): BackingServer<string> {
  const source = found.postgres;
  const name = 'postgres';
  if (source.kind === 'address') {
    return { name, part: undefined, access: () => source.url, probe: (signal) => probePostgres(source.url, signal) };
  }
  const part = serverPart(name, source.version, () => planPostgres({ source, state }), logged);
  const access = (): string => part.plan().superuserUrl;
  return { name, part, access, probe: (signal) => probePostgres(access(), signal) };
}

function openNats(found: FoundServers, { state }: BackingOptions, logged: Logged): BackingServer<NatsAccess> {
  const source = found.nats;
  const name = 'nats';
  if (source.kind === 'address') {
    return { name, part: undefined, access: () => source.access, probe: (signal) => probeNats(source.access, signal) };
  }
  const part = serverPart(name, source.version, () => planNats({ source, state }), logged);
  const access = (): NatsAccess => part.plan().access;
  return { name, part, access, probe: (signal) => probeNats(access(), signal) };
}

function openOpenfga(
  found: FoundServers,
  { state }: BackingOptions,
  logged: Logged,
  datastoreUrl: () => string,
): BackingServer<OpenfgaAccess> {
  const source = found.openfga;
  const name = 'openfga';
  if (source.kind === 'address') {
    const { access } = source;
    return { name, part: undefined, access: () => access, probe: (signal) => probeOpenfga(access, signal) };
  }
  const plan = () => planOpenfga({ source, state, datastoreUrl: datastoreUrl() });
  const part = serverPart(name, source.version, plan, logged);
  const access = (): OpenfgaAccess => part.plan().access;
  return { name, part, access, probe: (signal) => probeOpenfga(access(), signal) };
}
