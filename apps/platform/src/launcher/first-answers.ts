import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { State } from '@platform/backing';
import { Fault } from '@platform/faults';
import { readImage } from '@platform/proto/image';
import { AdminServiceService } from '@platform/proto/orgs/v1/admin';
import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import { connect, type ConnectOptions, type PeerOptions } from '@platform/rpc/client';
import { deadlineIn, formatAddress, grpcServices, repeatUntil, Secret } from '@platform/service';
import { isMarketplace, readSurface } from '@platform/surface';
import { readTlsOnce } from '@platform/tls';
import { CommandFault } from '../command-fault.ts';
import type { RunFile } from '../run-file.ts';
import { openAdministrator } from './administrator.ts';
import type { BackingServers } from './backing-servers.ts';
import { keepAdminToken, knownAdminTokens, secretIn } from '../kept-secrets.ts';
import { localUrl, reachable, type ServiceSurroundings } from './service-environment.ts';

/** Time limit until the whole platform answers once every part is ready, in milliseconds. */
const patience = 15_000;

export interface FirstAnswers {
  readonly around: ServiceSurroundings;
  readonly servers: BackingServers;
  readonly state: State;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Makes the requests of users: one through the gateway and orgs-teams, one with the administrator's token, and one to
 * authz for its model. The answers agree with `run.json`.
 * @throws CommandFault when the platform does not answer in time
 */
export async function askEverything({ around, servers, state, report, signal }: FirstAnswers): Promise<RunFile> {
  const baseUrl = localUrl(around.settings, around.ports.get('gateway')!.api);
  const patient = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const grpc = Object.fromEntries(grpcServices.map(({ name }) => {
    return [name, formatAddress('127.0.0.1', around.ports.get(name)!.api)];
  }));
  const credential = new Secret(secretIn(around.secrets, 'secrets.operatorCredential').value);
  const surface = readSurface(await readImage());
  const known = await knownAdminTokens(state, secretIn(around.secrets, 'secrets.adminToken'));
  const keep = (token: string): Promise<void> => keepAdminToken(state, token);
  const orgsTeams = grpc['orgs-teams']!;
  const { certificates } = around;
  const tls = certificates && (await readTlsOnce(certificates.operator));
  const [model, admin] = await Promise.all([
    askModel({ surface, serviceCredential: credential, tls }, grpc['authz']!, patient),
    openAdministrator({ surface, tls, orgsTeams, credential, known, keep, report, signal: patient }),
    repeatUntil(() => askVersion(baseUrl, patient), { signal: patient, first: 20, most: 200 }),
  ]);
  const to = { surface, tls, name: 'orgs-teams', addresses: [orgsTeams], serviceCredential: credential };
  const isDev = around.settings.runMode === 'dev';
  const signInLink = isDev ? await makeSignInLink(to, admin.username, baseUrl, patient) : undefined;
  return {
    baseUrl,
    ...(isMarketplace({ type: around.settings.deploymentType }) && { listenerUrl: listenerUrl(around) }),
    pid: process.pid,
    grpc,
    postgres: servers.postgres.access(),
    nats: servers.nats.access().url,
    openfga: { url: servers.openfga.access().url, ...model },
    ...(certificates && { tls: certificates.operator }),
    admin,
    ...(signInLink && { signInLink }),
    // As libs/mail names it.
    ...(around.settings.given.has('mail.smtpURL') ? {} : { mailFolder: join(around.settings.home, 'mail') }),
  };
}

/** Undefined where the administrator cannot sign in. */
async function makeSignInLink(
  to: ConnectOptions, user: string, baseUrl: string, signal: AbortSignal,
): Promise<string | undefined> {
  await using admin = connect(AdminServiceService, to);
  try {
    const call = { deadline: deadlineIn(patience, signal), requestId: 'launcher' };
    const { code } = await admin.createSignInLink({ user }, call);
    return `${baseUrl}/sign-in#link=${code}`;
  } catch (error) {
    if (error instanceof Fault && error.reason === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** Root of the marketplace listener, which speaks HTTPS where services do. */
function listenerUrl({ settings, ports, certificates }: ServiceSurroundings): string {
  const { passed } = ports.get('marketplace-listener')!;
  const isSecured = certificates !== undefined || settings.given.has('grpc.tls.certificate');
  return `${isSecured ? 'https' : 'http'}://${formatAddress(reachable(settings.httpHost), passed!)}`;
}

async function askModel(
  peers: PeerOptions,
  address: string,
  signal: AbortSignal,
): Promise<{ storeId: string; modelId: string }> {
  await using authz = connect(DecisionServiceService, { ...peers, name: 'authz', addresses: [address] });
  const call = { deadline: deadlineIn(patience, signal), requestId: 'launcher' };
  const { storeId, modelId } = await authz.getModel({}, call);
  return { storeId, modelId };
}

async function askVersion(baseUrl: string, signal: AbortSignal): Promise<void> {
  const { get } = baseUrl.startsWith('https:') ? await import('node:https') : await import('node:http');
  // This asks our own process and sends no secret, so the names in its certificate do not matter.
  const asked = get(`${baseUrl}/api/v1/version`, { signal, rejectUnauthorized: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  await buffer(response);
  if (response.statusCode !== 200) {
    throw new CommandFault(`The gateway answers ${response.statusCode}`, 'Its log, logs/gateway.log, says more.');
  }
}
