import {
  findServers,
  type NatsAccess,
  type OpenfgaAccess,
  planNats,
  planOpenfga,
  planPostgres,
  probeNats,
  probeOpenfga,
  probePostgres,
  type Reaper,
  type ServerBinary,
  type ServerPlan,
  type State,
} from '@platform/backing';
import { provision, provisionDatabase } from '@platform/postgres';
import { Secret, type Service } from '@platform/service';
import { serverPart, type ServerPartOptions } from './server-part.ts';
import type { Environment } from './settings.ts';
import type { Part } from './supervisor.ts';

/** A backing server: run here as a part, or external, in which case it is only checked. */
export interface BackingServer<Access> {
  readonly name: string;
  /** Undefined for an external server. */
  readonly part: Part | undefined;
  /** How to connect to it; valid once it is ready. */
  access(): Access;
  /** Checks it once. @throws BackingFault NOT_READY */
  probe(signal: AbortSignal): Promise<void>;
}

export interface BackingServers {
  /** `access` returns the URL of a role that may create roles and databases. */
  readonly postgres: BackingServer<string>;
  readonly nats: BackingServer<NatsAccess>;
  readonly openfga: BackingServer<OpenfgaAccess>;
  /** Creates missing databases, roles and schemas. Returns the URL of each service that has a schema. */
  provision(): Promise<ReadonlyMap<string, string>>;
}

export interface BackingOptions {
  readonly environment: Environment;
  readonly state: State;
  readonly reaper: Reaper;
  readonly entries: readonly Service[];
  /** How long a service may be unresponsive; servers get more time. */
  readonly silenceMs: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * A server takes longer than a service to restart, and rarely hangs: NATS and OpenFGA may be silent twice as long.
 * PostgreSQL may be slow for minutes without losing anything, so it gets ten times as long; then it is asked to shut
 * down in order, with time for its checkpoint, before it is killed (ADR 0032).
 */
const patience = { postgres: 10, nats: 2, openfga: 2 };
const postgresGraceMs = 60_000;

const database = 'platform';
const openfgaDatabase = 'openfga';

/** Locates the three servers, and builds missing ones; does not start them. @throws BackingFault */
export async function openBackingServers(options: BackingOptions): Promise<BackingServers> {
  const { environment, state, reaper, report, signal } = options;
  const found = await findServers({ environment, report, signal });
  const running = (name: keyof typeof patience) => ({
    logFile: state.logFile(name), reaper, silenceMs: options.silenceMs * patience[name],
  });
  let openfgaUrl: string | undefined;

  const postgres = openServer('postgres', found.postgres, {
    given: ({ url }) => url,
    plan: (source) => planPostgres({ source, state }),
    planned: ({ superuserUrl }) => superuserUrl,
    probe: probePostgres,
    running: { ...running('postgres'), graceMs: postgresGraceMs },
  });
  const nats = openServer('nats', found.nats, {
    given: ({ access }) => access,
    plan: (source) => planNats({ source, state }),
    planned: ({ access }) => access,
    probe: probeNats,
    running: running('nats'),
  });
  const openfga = openServer('openfga', found.openfga, {
    given: ({ access }) => access,
    plan: async (source) => planOpenfga({ source, state, datastoreUrl: openfgaUrl! }),
    planned: ({ access }) => access,
    probe: probeOpenfga,
    running: running('openfga'),
  });
  return {
    postgres,
    nats,
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

/** The differences between the three servers. */
interface ServerKind<Address, Plan, Access> {
  /** How to connect to an external server. */
  readonly given: (address: Address) => Access;
  readonly plan: (source: ServerBinary) => Promise<Plan>;
  /** How to connect to a server that is run from a plan. */
  readonly planned: (plan: Plan) => Access;
  readonly probe: (access: Access, signal: AbortSignal) => Promise<void>;
  readonly running: ServerPartOptions;
}

function openServer<Address extends { readonly kind: 'address' }, Plan extends ServerPlan, Access>(
  name: string,
  source: ServerBinary | Address,
  { given, plan, planned, probe, running }: ServerKind<Address, Plan, Access>,
): BackingServer<Access> {
  if (source.kind === 'address') {
    const access = given(source);
    return { name, part: undefined, access: () => access, probe: (signal) => probe(access, signal) };
  }
  const part = serverPart(name, source.version, () => plan(source), running);
  const access = (): Access => planned(part.plan());
  return { name, part, access, probe: (signal) => probe(access(), signal) };
}
