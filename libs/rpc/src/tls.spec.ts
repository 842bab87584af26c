import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { IdentityServiceService, type Standing } from '@platform/proto/orgs/v1/identity';
import { readImage } from '@platform/proto/image';
import { createLogger, deadlineIn, Secret, silentLogger } from '@platform/service';
import { readSurface, type Surface } from '@platform/surface';
import { until } from '@platform/testing';
import { type Authority, type CertificateRequest, type IssuedFiles, openAuthority, type TlsFiles, watchTls, type WatchedTls } from '@platform/tls';
import { connect } from './client/client.ts';
import { createGuard } from './guard/guard.ts';
import { type Handlers, implement } from './server/implement.ts';
import { type RpcServer, startRpcServer } from './server/server.ts';
import { wire } from './wire/wire.ts';

const credential = new Secret('correct horse battery staple');
const nobodyYet: Standing = { caller: undefined, organizations: [] };
const call = () => ({ deadline: deadlineIn(3_000), requestId: 'spec' });
const held = new AsyncDisposableStack();

let folder: string;
let surface: Surface;
let authority: Authority;
const lines: string[] = [];

/** The log lines since the last test. */
const log = createLogger({ service: 'spec', destination: { write: (line) => void lines.push(line) } });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-tls-'));
  authority = await openAuthority(join(folder, 'ours'));
  const whole = readSurface(await readImage());
  const methods = whole.methods.filter(({ service }) => service === 'controlplane.orgs.v1.IdentityService');
  surface = { ...whole, methods, byPath: new Map(methods.map((method) => [method.path, method])) };
});
afterEach(() => void lines.splice(0));
afterAll(async () => {
  await held.disposeAsync();
  await rm(folder, { recursive: true, force: true });
});

async function watched(files: TlsFiles | Promise<IssuedFiles>): Promise<WatchedTls> {
  return held.use(await watchTls(await files, silentLogger));
}

const orgsTeams = { role: 'service', name: 'orgs-teams', hosts: ['localhost', '127.0.0.1'] } as const;
const gateway = { role: 'service', name: 'gateway', hosts: ['localhost'] } as const;

/** Serves the methods of IdentityService, which are all internal. Every method gives the same answer. */
async function serve(tls: WatchedTls | undefined): Promise<RpcServer> {
  const handlers = Object.fromEntries(
    Object.keys(IdentityServiceService).map((name) => [name, async () => nobodyYet]),
  ) as unknown as Handlers<typeof IdentityServiceService>;
  const never = () => Promise.reject(new Error('nobody is asked here'));
  const sources = { standing: never, ask: never, settle: never, reportLostStore: never, objects: {} };
  return held.use(await startRpcServer({
    surface,
    host: 'orgs-teams',
    services: [implement(IdentityServiceService, handlers)],
    guard: createGuard(sources, {
      deployment: { type: 'SelfHostedProduction', runMode: 'prod', billing: 'auto' },
      serviceCredentials: [credential],
    }),
    listen: '127.0.0.1:0',
    tls,
    log,
  }));
}

/**
 * A certificate of the platform that has expired. It could no longer be loaded, so it is passed as if it had been
 * loaded earlier.
 */
async function expired(request: CertificateRequest): Promise<WatchedTls> {
  const past = await openAuthority(join(folder, 'ours'), -1_000);
  const files = await past.issue(request);
  const [ca, certificate, key] = await Promise.all([readFile(files.ca), readFile(files.certificate), readFile(files.key)]);
  await authority.issue(request);
  const current = { ca, certificate, key, validTo: new Date(0) };
  return { current, onChange: () => undefined, [Symbol.asyncDispose]: async () => undefined };
}

function ask(address: string, tls: WatchedTls | undefined, name = 'orgs-teams', serviceCredential?: Secret) {
  const client = held.use(connect(IdentityServiceService, {
    surface, name, addresses: [address], tls, serviceCredential,
  }));
  return client.getStanding({ token: '', slugs: [], organizationIds: [] }, call());
}

const refused = { reason: 'UNAVAILABLE' };

/** Waits until the log contains the reason. */
function reason(why: RegExp): Promise<string> {
  return until(() => lines.find((line) => line.includes('a connection was refused') && why.test(line)), {
    what: `a line that says ${why}`,
  }) as Promise<string>;
}

describe('a gRPC port under mutual TLS', () => {
  let server: RpcServer;
  let tls: WatchedTls;
  beforeAll(async () => {
    tls = await watched(authority.issue(orgsTeams));
    server = await serve(tls);
  });

  it('takes a service or the operator by its certificate, without a credential', async () => {
    await expect(ask(server.address, await watched(authority.issue(gateway)))).resolves.toEqual(nobodyYet);
    const operator = await watched(authority.issue({ role: 'operator', name: 'cli', hosts: [] }));
    await expect(ask(server.address, operator)).resolves.toEqual(nobodyYet);
  });

  it('refuses a client at internal methods, also with the credential of the services', async () => {
    const client = await watched(authority.issue({ role: 'client', name: 'reports', hosts: [] }));
    const attempt = ask(server.address, client, 'orgs-teams', credential);
    await expect(attempt).rejects.toMatchObject({ reason: 'UNAUTHENTICATED' });
    expect(lines.join()).toMatch(/neither a service nor the operator/);
  });

  it('limits the messages of a client that has the credential of the services', async () => {
    // Only services may send compressed messages (limits/arriving.ts).
    const compressed = async (request: CertificateRequest) => {
      const { ca, certificate: cert, key } = (await watched(authority.issue(request))).current;
      const session = connectHttp2(`https://${server.address}`, { ca, cert, key, checkServerIdentity: () => undefined });
      try {
        const stream = session.request({
          ':method': 'POST', ':path': '/controlplane.orgs.v1.IdentityService/GetStanding', 'te': 'trailers',
          'content-type': 'application/grpc', 'grpc-encoding': 'gzip', [wire.serviceCredential]: credential.reveal(),
        });
        const message = gzipSync(Buffer.alloc(0));
        const prefix = Buffer.from([1, 0, 0, 0, message.length]);
        stream.end(Buffer.concat([prefix, message]));
        const answers: IncomingHttpHeaders[] = [];
        stream.on('response', (headers) => answers.push(headers)).on('trailers', (headers) => answers.push(headers));
        await once(stream.resume(), 'close');
        return answers.find((headers) => headers['grpc-status'] !== undefined)?.['grpc-status'];
      } finally {
        session.destroy();
      }
    };
    expect(await compressed(gateway)).toBe('0');
    expect(await compressed({ role: 'client', name: 'reports', hosts: [] })).toBe('12');
  });

  it('refuses a certificate of another authority', async () => {
    const foreign = await openAuthority(join(folder, 'theirs'));
    const files = await foreign.issue(gateway);
    await expect(ask(server.address, await watched({ ...files, ca: authority.file }))).rejects.toMatchObject(refused);
    await reason(/is not accepted: (UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT|SELF_SIGNED)/);
  });

  it('refuses an expired certificate', async () => {
    const late = await expired({ role: 'service', name: 'late', hosts: [] });
    await expect(ask(server.address, late)).rejects.toMatchObject(refused);
    await reason(/is not accepted: CERT_HAS_EXPIRED/);
    const old = await serve(await expired(orgsTeams));
    const attempt: unknown = await ask(old.address, await watched(authority.issue(gateway))).catch((error) => error);
    expect(String((attempt as Error).cause)).toContain('certificate has expired');
  });

  it('refuses who shows no certificate, and who speaks no TLS', async () => {
    const [host, port] = server.address.split(':');
    const anonymous = connectTls({ host, port: Number(port), ca: tls.current.ca, ALPNProtocols: ['h2'] });
    anonymous.on('error', () => undefined);
    await once(anonymous, 'close');
    await reason(/has no certificate/);
    await expect(ask(server.address, undefined, 'orgs-teams', credential)).rejects.toMatchObject(refused);
    await reason(/does not speak TLS/);
    const plain = connectTcp(Number(port), host).end('GET / HTTP/1.1\r\n\r\n');
    plain.on('error', () => undefined);
    await once(plain.resume(), 'close');
    await reason(/does not speak TLS \(ERR_SSL_HTTP_REQUEST\)/);
  });

  it('is not taken for another service than its certificate names', async () => {
    const caller = await watched(authority.issue(gateway));
    await expect(ask(server.address, caller, 'authz')).rejects.toMatchObject({ reason: 'UNAVAILABLE' });
    const fault: unknown = await ask(server.address, caller, 'authz').catch((error: unknown) => error);
    expect(String((fault as Error).cause)).toContain('must name service authz, but names service orgs-teams');
  });

  it('is not taken for orgs-teams under a certificate of another authority', async () => {
    const foreign = await openAuthority(join(folder, 'theirs'));
    const imposter = await serve(await watched(foreign.issue(orgsTeams)));
    await expect(ask(imposter.address, await watched(authority.issue(gateway)))).rejects.toMatchObject(refused);
  });

  it('does not give its certificate to a server in plain text', async () => {
    const plain = await serve(undefined);
    await expect(ask(plain.address, await watched(authority.issue(gateway)))).rejects.toMatchObject(refused);
  });

  it('finishes the calls it has accepted when it stops', async () => {
    const stopping = await serve(tls);
    const caller = await watched(authority.issue(gateway));
    await ask(stopping.address, caller);
    await stopping[Symbol.asyncDispose]();
    await expect(ask(stopping.address, caller)).rejects.toMatchObject(refused);
  });
});

describe('certificates that change', () => {
  it('are used by server and client for the next connection, without a restart', async () => {
    const ours = await openAuthority(join(folder, 'renewed'));
    const tls = await watched(ours.issue(orgsTeams));
    const caller = await watched(ours.issue(gateway));
    const server = await serve(tls);
    await expect(ask(server.address, caller)).resolves.toEqual(nobodyYet);

    const before = await shownBy(server.address, caller);
    await ours.issue(orgsTeams);
    await ours.issue(gateway);
    const after = await until(async () => {
      const shown = await shownBy(server.address, caller);
      return shown === before ? undefined : shown;
    }, { what: 'the new certificate is shown' });
    expect(after).not.toBe(before);
    await expect(ask(server.address, caller)).resolves.toEqual(nobodyYet);
  });

  it('stay as they were while the new ones do not hold together', async () => {
    const ours = await openAuthority(join(folder, 'mixed'));
    const files = await ours.issue(orgsTeams);
    const other = await ours.issue(gateway);
    const tls = await watched(files);
    const complaints: string[] = [];
    const loud = createLogger({ service: 'spec', destination: { write: (line) => void complaints.push(line) } });
    await using watching = await watchTls({ ...files, key: files.key }, loud);
    await copyFile(other.key, files.key);
    await until(() => complaints.find((line) => line.includes('is not the key of')), { what: 'a complaint' });
    expect(watching.current.key.equals(tls.current.key)).toBe(true);
  });

  it('that cannot be used keep a service from starting', async () => {
    const ours = await openAuthority(join(folder, 'unusable'));
    const [one, other] = [await ours.issue(orgsTeams), await ours.issue(gateway)];
    await expect(watched({ ...one, key: other.key })).rejects.toThrow('is not the key of');
    await expect(watched({ ...one, certificate: join(folder, 'none.pem') })).rejects.toThrow('cannot be read');
    await expect(watched({ ...one, certificate: one.key })).rejects.toThrow('contains no usable certificate (PEM)');
  });
});

/** The serial number of the certificate that a server currently presents. */
async function shownBy(address: string, { current }: WatchedTls): Promise<string> {
  const [host, port] = address.split(':');
  const { ca, certificate: cert, key } = current;
  const socket = connectTls({ host, port: Number(port), ca, cert, key, ALPNProtocols: ['h2'] });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}
