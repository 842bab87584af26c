import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { planPostgres } from '@platform/backing';
import { provision, provisionDatabase } from '@platform/postgres';
import { type OwnServer, type OwnServers, ownServers } from './own-server.ts';
import { smallDisk } from './small-disk.ts';
import { tcpProxy, type TcpProxy } from './tcp-proxy.ts';
import type { TestDatabase } from './test-database.ts';

/** A separate PostgreSQL server for one spec. */
export interface OwnPostgres extends Omit<OwnServer<never>, 'plan'>, AsyncDisposable {
  /** Other servers that the spec may start in the same place. */
  readonly servers: OwnServers;
  readonly superuserUrl: string;
  /** The proxy between the services and the server; the spec itself connects directly. */
  readonly proxy: TcpProxy;
  /** Creates a role and an empty schema, which the service migrates at its start. The settings use the proxy. */
  database(service: string): Promise<TestDatabase>;
  /** Copies the data of the stopped server. The returned function restores the copy; it stops and starts the server. */
  backUp(): Promise<() => Promise<void>>;
  /** Creates a database with its own owner, for a server that is not part of the platform; returns its URL. */
  foreignDatabase(name: string): Promise<string>;
}

const run = promisify(execFile);
const database = 'platform';

interface OwnPostgresOptions {
  /** Additional environment variables of the server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Size in bytes of a separate disk for the data, if the caller may mount one. */
  readonly disk?: number;
}

/** @throws BackingFault */
export async function ownPostgres({ environment = {}, disk }: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const servers = await ownServers();
  if (disk !== undefined) servers.defer(await smallDisk(servers.state.postgres, disk));
  const { postgres: source } = servers.found;
  if (source.kind !== 'binary') throw new Error('there is no PostgreSQL to run');
  const { plan: { superuserUrl, dataDirectory }, ...server } = await servers.open(async () => {
    const plan = await planPostgres({ source, state: servers.state, volatile: true });
    return { ...plan, environment: { ...plan.environment, ...environment } };
  });
  const proxy = await tcpProxy(superuserUrl);
  return {
    ...server, servers, superuserUrl, proxy,
    database: async (service) => {
      const [made] = await provision({ superuserUrl, database, services: [{ service }] });
      const url = made!.url.reveal();
      return {
        name: database, schema: made!.schema, url,
        superuserUrl: changed(superuserUrl, { pathname: database }),
        settings: { 'postgres.url': changed(url, { host: proxy.address }) },
        // The database is removed together with its server.
        [Symbol.asyncDispose]: () => Promise.resolve(),
      };
    },
    backUp: async () => {
      const copy = join(servers.state.postgres, `copy-${randomUUID()}`);
      // PostgreSQL checks the owner and the permissions of its files.
      const copied = (from: string, to: string) => run('cp', ['-a', from, to]);
      await server.stop();
      await copied(dataDirectory, copy);
      await server.start();
      return async () => {
        await server.stop();
        await rm(dataDirectory, { recursive: true });
        await copied(copy, dataDirectory);
        await server.start();
      };
    },
    foreignDatabase: async (name) =>
      (await provisionDatabase({ superuserUrl, database: name, role: name })).url.reveal(),
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  };
}

function changed(url: string, change: Partial<Pick<URL, 'host' | 'pathname'>>): string {
  return Object.assign(new URL(url), change).href;
}
