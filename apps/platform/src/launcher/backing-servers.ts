import {
  findServers, planNats, planOpenfga, planPostgres, probeNats, probeOpenfga, probePostgres, type ServerBinary,
  type ServerPlan, start,
} from '@platform/backing';
import { provision, provisionDatabase } from '@platform/postgres';
import { Secret, services } from '@platform/service';
import type { PlatformOptions } from './platform-options.ts';
import type { Part } from './supervisor.ts';

/** A server that runs here as a part, or an external server, which is only checked. */
export interface BackingServer<Access> {
  readonly name: string;
  /** Undefined for an external server. */
  readonly part: Part | undefined;
  /** Returns how to reach the server. A server that is a part must be started first. */
  access(): Access;
  /** Checks once whether the server is ready. @throws BackingFault NOT_READY; reason of an aborted signal */
  probe(signal: AbortSignal): Promise<void>;
}

/** PostgreSQL, NATS and OpenFGA. `postgres.access` returns the URL of a role that may create roles and databases. */
export type BackingServers = Awaited<ReturnType<typeof openBackingServers>>;

/**
 * For a server, the permitted silence of a service is multiplied by this factor, because a server takes longer to
 * restart. PostgreSQL may be slow for minutes without hanging (ADR 0032).
 */
const patience = { postgres: 10, nats: 2, openfga: 2 };
/**
 * Time for a silent server to stop before it is killed, in milliseconds. Undefined: the usual grace period. PostgreSQL
 * needs time to write a checkpoint (ADR 0032).
 */
const graceMs = { postgres: 60_000, nats: undefined, openfga: undefined };

/** Locates the three servers. Builds or copies a missing server. Does not start the servers. @throws BackingFault */
export async function openBackingServers(options: PlatformOptions) {
  const { settings, state, progress: { report }, signal } = options;
  const environment = { ...options.environment, ...settings.givenServers };
  const found = await findServers({ environment, report, signal });
  let datastoreUrl = '';
  const postgres = openServer('postgres', found.postgres, options, {
    plan: (source) => planPostgres({ source, state }),
    access: (of) => ('url' in of ? of.url : of.superuserUrl),
    probe: probePostgres,
  });
  const nats = openServer('nats', found.nats, options, {
    plan: (source) => planNats({ source, state }),
    access: (of) => of.access,
    probe: probeNats,
  });
  const openfga = openServer('openfga', found.openfga, options, {
    plan: async (source) => planOpenfga({ source, state, datastoreUrl }),
    access: (of) => of.access,
    probe: probeOpenfga,
  });
  const passwordOf = async (name: string) =>
    new Secret(await state.secret(`postgres-${name}-password`, { renewable: true }));
  return {
    postgres,
    nats,
    openfga,
    /** Creates missing databases, roles and schemas. Returns the database URL of each service with a schema. */
    provision: async (): Promise<ReadonlyMap<string, string>> => {
      const superuserUrl = new Secret(postgres.access());
      const wanted = services.filter(({ schema }) => schema === true)
        .map(async ({ name }) => ({ service: name, password: await passwordOf(name) }));
      const made = await provision({ superuserUrl, database: 'platform', services: await Promise.all(wanted) });
      if (openfga.part !== undefined) {
        const own = { database: 'openfga', role: 'openfga', password: await passwordOf('openfga') };
        datastoreUrl = (await provisionDatabase({ superuserUrl, ...own })).url.reveal();
      }
      return new Map(made.map(({ service, url }) => [service, url.reveal()]));
    },
  };
}

/**
 * Returns a server, but does not start it. Each restart uses the plan of the first successful start, so the ports and
 * the data stay the same.
 */
function openServer<Address extends { readonly kind: 'address' }, Plan extends ServerPlan, Access>(
  name: keyof typeof patience,
  source: ServerBinary | Address,
  { settings: { silenceMs }, state, reaper }: PlatformOptions,
  kind: {
    readonly plan: (source: ServerBinary) => Promise<Plan>;
    readonly access: (of: Address | Plan) => Access;
    readonly probe: (access: Access, signal: AbortSignal) => Promise<void>;
  },
): BackingServer<Access> {
  let plan: Plan | undefined;
  const access = (): Access => kind.access(source.kind === 'address' ? source : plan!);
  const probe = (signal: AbortSignal): Promise<void> => kind.probe(access(), signal);
  if (source.kind === 'address') return { name, part: undefined, access, probe };
  const part: Part = {
    name,
    version: source.version,
    life: { ask: (signal) => plan!.alive(signal), silenceMs: silenceMs * patience[name], graceMs: graceMs[name] },
    start: async (signal) => {
      const started = await start(() => plan ?? kind.plan(source), { logFile: state.logFile(name), reaper, signal });
      plan = started.plan;
      return started.server;
    },
  };
  return { name, part, access, probe };
}
