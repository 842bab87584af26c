import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { OutgoingContext } from '@platform/rpc';
import { connect, type RpcClient, type ServiceDefinition } from '@platform/rpc/client';
import { readImage } from '@platform/proto/image';
import {
  addressesOf, addressPicks, deadlineIn, environmentName, type GrpcServiceName, grpcServices, optional, readConfig,
  Secret, silentLogger,
} from '@platform/service';
import { readSurface, type Surface } from '@platform/surface';
import { grpcTlsPicks, readGrpcTls, readTlsOnce } from '@platform/tls';
import { CommandFault } from './command-fault.ts';
import { readGiven } from './given-file.ts';
import { stateHome } from './home.ts';
import { runningLauncher } from './claim.ts';
import { operatorCredentialFiles } from './kept-secrets.ts';
import type { Environment } from './settings.ts';
import { waitFor } from './progress.ts';
import { readRunFile } from './run-file.ts';

/** Options for the connection of a command to services. The options take precedence over the environment. */
export interface ServerOptions {
  /** `--server`: gRPC address of orgs-teams. */
  readonly server?: string;
  /** `--token-file`: the file that contains the operator credential. */
  readonly tokenFile?: string;
}

export function operatorCall(patienceMs: number = 30_000): OutgoingContext {
  return { deadline: deadlineIn(patienceMs), requestId: `cli-${randomUUID()}` };
}

/**
 * Connects to one service with the operator's credential. `PLATFORM_SERVICES_…` gives the address. For orgs-teams,
 * `--server` or `PLATFORM_SERVER` takes precedence. If no address is given, connects to the platform that runs on the
 * state folder. `--token-file` or `PLATFORM_TOKEN` gives the credential; default: the credential in the state folder.
 * @throws ConfigError; CommandFault, for example when the address or the credential is not known
 */
export async function connectOperator<S extends ServiceDefinition>(
  definition: S, service: GrpcServiceName, options: ServerOptions, environment: Environment,
): Promise<RpcClient<S>> {
  waitFor(service);
  const config = readConfig({
    server: optional('server'), token: optional('token'), ...addressPicks, ...grpcTlsPicks,
  }, { environment, log: silentLogger });
  const home = stateHome(environment);
  const server = service === 'orgs-teams' ? options.server ?? config.server : undefined;
  const named = server === undefined ? addressesOf(config).get(service) : [server];
  const running = named === undefined ? await runningPlatform(home, service) : undefined;
  const addresses = named ?? [running!.address];
  const credential = options.tokenFile === undefined
    ? config.token ?? (await keptCredential(home))
    : await readCredential(options.tokenFile);
  return connect(definition, {
    surface: await openSurface(),
    name: service,
    addresses,
    label: `${service} at ${addresses.join(' or ')}`,
    serviceCredential: credential,
    tls: running?.tls === undefined ? await readGrpcTls(config) : await readTlsOnce(running.tls),
  });
}

let surface: Promise<Surface> | undefined;

/** Reads the description of all methods once per command, because reading takes long. */
function openSurface(): Promise<Surface> {
  surface ??= readImage().then(readSurface);
  return surface;
}

async function runningPlatform(home: string, service: GrpcServiceName) {
  const run = (await runningLauncher(home)) === undefined ? undefined : await readRunFile(home);
  const address = run?.grpc[service];
  if (address !== undefined) return { address, tls: run?.tls };
  const { addresses } = grpcServices.find(({ name }) => name === service)!;
  const named = service === 'orgs-teams' ? '--server' : environmentName(addresses);
  const naming = `Name the address with ${named} and the credential with --token-file`;
  const cure = `${naming}, or start a platform here with \`npm start\`.`;
  const none = `No platform runs with the state folder ${home} (or it is still starting)`;
  throw new CommandFault(`${none}, and the address of ${service} is not given`, cure);
}

async function keptCredential(home: string): Promise<Secret> {
  for (const file of operatorCredentialFiles(home)) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.trim() !== '') return new Secret(text.trim());
  }
  throw new CommandFault(
    `The state folder ${home} contains no operator credential that this user can read`,
    'Run the command as the user who started the platform, or give the credential with --token-file.',
  );
}

async function readCredential(file: string): Promise<Secret> {
  const cureOfEmpty = 'With --token-file, name a file that contains the operator credential.';
  return new Secret((await readGiven(file, 'Name another file with --token-file.', cureOfEmpty)).trim());
}
