import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { readImage } from '@platform/proto/image';
import { DecisionServiceService } from '@platform/proto/authz/v1/decision';
import { connect, type ConnectOptions } from '@platform/rpc/client';
import { deadlineIn, formatAddress, grpcServices, repeatUntil, Secret } from '@platform/service';
import { isMarketplace, readSurface } from '@platform/surface';
import { readTlsOnce } from '@platform/tls';
import { CommandFault } from '../command-fault.ts';
import { secretIn } from '../kept-secrets.ts';
import type { RunFile } from '../run-file.ts';
import { openAdministrator, signInCode, untilAnswered } from './administrator.ts';
import type { BackingServers } from './backing-servers.ts';
import type { PlatformOptions } from './platform-options.ts';
import { localUrl, type ServiceSurroundings } from './service-environment.ts';

/** How long the platform may take to answer after every part is ready, in milliseconds. */
const patience = 15_000;

/**
 * Asks authz for its model, and orgs-teams for the administrator. In run mode `dev`, also asks orgs-teams for a sign-in
 * link. Repeats a request to the gateway until it succeeds, for up to 15 s. Returns the content of `run.json`.
 * @throws the error of a request that fails
 */
export async function askEverything(
  options: PlatformOptions, around: ServiceSurroundings, servers: BackingServers,
): Promise<RunFile> {
  const { settings, secrets, ports, certificates } = around;
  const baseUrl = localUrl(settings, ports.get('gateway')!.api);
  const patient = AbortSignal.any([options.signal, AbortSignal.timeout(patience)]);
  const grpc = Object.fromEntries(grpcServices.map(({ name }) =>
    [name, formatAddress('127.0.0.1', ports.get(name)!.api)]));
  const peers = {
    surface: readSurface(await readImage()),
    serviceCredential: new Secret(secretIn(secrets, 'secrets.operatorCredential').value),
    tls: certificates && (await readTlsOnce(certificates.operator)),
  };
  const orgsTeams = { ...peers, name: 'orgs-teams', addresses: [grpc['orgs-teams']!] };
  const [model, admin] = await Promise.all([
    askModel({ ...peers, name: 'authz', addresses: [grpc['authz']!] }, patient),
    openAdministrator(orgsTeams, secretIn(secrets, 'secrets.adminToken'), options, patient),
    repeatUntil(() => askVersion(baseUrl, patient), { signal: patient, first: 20, most: 200 }),
  ]);
  const code = settings.runMode === 'dev' ? await signInCode(orgsTeams, admin.username, patient) : undefined;
  return {
    baseUrl,
    ...(isMarketplace({ type: settings.deploymentType }) && { listenerUrl: listenerUrl(around) }),
    pid: process.pid,
    grpc,
    postgres: servers.postgres.access(),
    nats: servers.nats.access().url,
    openfga: { url: servers.openfga.access().url, ...model },
    ...(certificates && { tls: certificates.operator }),
    admin,
    ...(code !== undefined && { signInLink: `${baseUrl}/sign-in#link=${code}` }),
    // libs/mail uses the same name for the folder.
    ...(settings.given.has('mail.smtpURL') ? {} : { mailFolder: join(settings.home, 'mail') }),
  };
}

/** Base URL of the marketplace listener, which uses HTTPS if the services use TLS. */
function listenerUrl({ settings, ports, certificates }: ServiceSurroundings): string {
  const isSecured = certificates !== undefined || settings.given.has('grpc.tls.certificate');
  return localUrl({ httpHost: settings.httpHost, tls: isSecured }, ports.get('marketplace-listener')!.passed!);
}

async function askModel(to: ConnectOptions, signal: AbortSignal): Promise<{ storeId: string; modelId: string }> {
  await using authz = connect(DecisionServiceService, to);
  const { storeId, modelId } = await untilAnswered(signal, () =>
    authz.getModel({}, { deadline: deadlineIn(patience, signal), requestId: 'launcher' }));
  return { storeId, modelId };
}

async function askVersion(baseUrl: string, signal: AbortSignal): Promise<void> {
  const { get } = baseUrl.startsWith('https:') ? await import('node:https') : await import('node:http');
  // The request goes to a port of this machine and contains no secret, so the certificate need not be verified.
  const asked = get(`${baseUrl}/api/v1/version`, { signal, rejectUnauthorized: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  await buffer(response);
  if (response.statusCode !== 200) {
    throw new CommandFault(`The gateway answers with status ${response.statusCode}`, 'See logs/gateway.log.');
  }
}
