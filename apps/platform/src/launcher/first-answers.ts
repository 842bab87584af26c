import { readImage } from '@platform/proto/image';
import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import { connect } from '@platform/rpc';
import { deadlineIn, formatAddress, repeatUntil, Secret } from '@platform/service';
import { readSurface } from '@platform/surface';
import { CommandFault } from '../command-fault.ts';
import type { RunFile } from '../run-file.ts';
import type { BackingServers } from './backing-servers.ts';
import { localUrl, type ServiceSurroundings } from './service-environment.ts';
import { services } from './services.ts';

/** How long the whole may take to answer once every part is ready, in milliseconds. */
const patience = 15_000;

/** Name of the site admin that orgs-teams makes at the first start. */
const administrator = 'platform-admin';

export interface FirstAnswers {
  readonly around: ServiceSurroundings;
  readonly servers: BackingServers;
  readonly signal: AbortSignal;
}

/**
 * Asks the platform what its users will: a request with the administrator's token through gateway and orgs-teams, and
 * authz for its model. What is answered here is what `run.json` says.
 * @throws CommandFault when it does not answer in time
 */
export async function askEverything({ around, servers, signal }: FirstAnswers): Promise<RunFile> {
  const baseUrl = localUrl(around.settings, around.ports.get('gateway')!.api);
  const patient = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const grpc = Object.fromEntries(services.filter(({ http }) => http !== true).map(({ name }) => {
    return [name, formatAddress('127.0.0.1', around.ports.get(name)!.api)];
  }));
  const credential = new Secret(around.secrets['secrets.serviceCredential'].value);
  const [model] = await Promise.all([
    askModel(grpc['authz']!, credential, patient),
    repeatUntil(() => askVersion(baseUrl, patient), { signal: patient, first: 20, most: 200 }),
  ]);
  return {
    baseUrl,
    pid: process.pid,
    grpc,
    postgres: servers.postgres.access(),
    nats: servers.nats.access().url,
    openfga: { url: servers.openfga.access().url, ...model },
    admin: { username: administrator, token: around.secrets['secrets.adminToken'].value },
  };
}

async function askModel(
  address: string,
  serviceCredential: Secret,
  signal: AbortSignal,
): Promise<{ storeId: string; modelId: string }> {
  const surface = readSurface(await readImage());
  await using authz = connect(DecisionServiceService, {
    surface, name: 'authz', addresses: [address], serviceCredential,
  });
  const call = { deadline: deadlineIn(patience, signal), requestId: 'launcher' };
  const { storeId, modelId } = await authz.getModel({}, call);
  return { storeId, modelId };
}

async function askVersion(baseUrl: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${baseUrl}/api/v1/version`, { signal });
  await response.arrayBuffer();
  if (!response.ok) {
    throw new CommandFault(`The gateway answers ${response.status}`, 'Its log, logs/gateway.log, says more.');
  }
}
