import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type NatsAccess, planNats } from '@platform/backing';
import { testSmtp, type TestSmtp } from '@platform/mail/fixtures';
import { environmentName, grpcServices, type SettingKey } from '@platform/service';
import { type OwnPostgres, ownPostgres, repositoryRoot, type ServiceSettings, testSecret, until } from '@platform/testing';
import { type IssuedFiles, openAuthority } from '@platform/tls';
import { adminHttp } from './admin-http.ts';
import { organizationHosts, type PlatformOptions, type RunningPlatform, startPlatform } from './platform.ts';

const baseURL = 'https://platform.example.org';
/** A start of servers and services, on a machine that is busy with other tests. */
const patience = 180_000;
/** Error messages of Node for a certificate whose authority is unknown. */
const unknownAuthority = /self-signed certificate in certificate chain|unable to verify the first certificate|unable to get local issuer/;

let folder: string, files: IssuedFiles;
let postgres: OwnPostgres, nats: NatsAccess, smtp: TestSmtp;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-company-'));
  files = await (await openAuthority(folder)).issue({ role: 'service', name: 'servers', hosts: ['localhost'] });
  postgres = await ownPostgres();
  await encryptPostgres();
  nats = await encryptedNats();
  const [key, cert] = await Promise.all([files.key, files.certificate].map((file) => readFile(file, 'utf8')));
  smtp = await testSmtp({ key, cert });
}, patience);
afterAll(async () => {
  await smtp?.[Symbol.asyncDispose]();
  await postgres?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}, patience);

async function encryptPostgres(): Promise<void> {
  const data = join(postgres.servers.state.postgres, 'data');
  const { uid, gid } = await stat(data);
  for (const [file, name] of [[files.certificate, 'server.crt'], [files.key, 'server.key']] as const) {
    const copy = join(data, name);
    await copyFile(file, copy);
    await chmod(copy, 0o600);
    await chown(copy, uid, gid);
  }
  await postgres.stop();
  await appendFile(join(data, 'postgresql.conf'), 'ssl = on\n');
  await postgres.start();
}

/** A NATS that accepts only TLS connections. */
async function encryptedNats(): Promise<NatsAccess> {
  const { servers } = postgres;
  const source = servers.found.nats;
  if (source.kind !== 'binary') throw new Error('there is no nats-server to run');
  const server = await servers.open(async () => {
    const plan = await planNats({ source, state: servers.state, volatile: true });
    return {
      ...plan,
      prepare: async (signal: AbortSignal) => {
        await plan.prepare(signal);
        const tls = `tls {\n  cert_file: ${JSON.stringify(files.certificate)}\n  key_file: ${JSON.stringify(files.key)}\n}\n`;
        await appendFile(join(servers.state.nats, 'server.conf'), tls);
      },
      ready: async () => void (await until(() => accepts(plan.ports[0]!), { what: 'NATS listens' })),
    };
  });
  return server.plan.access;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connectTcp({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}

/** The same server by the name that its certificate has. */
function secured(url: string, protocol: string): string {
  const { port, username, password, pathname } = new URL(url);
  const user = username === '' ? '' : `${username}:${password}@`;
  return `${protocol}//${user}localhost:${port}${pathname === '/' ? '' : pathname}`;
}

function securedDatabase(url: string): ServiceSettings {
  const direct = Object.assign(new URL(url), { port: new URL(postgres.superuserUrl).port }).href;
  return { 'postgres.url': `${secured(direct, 'postgres:')}?sslmode=verify-full` };
}

/** Databases on the server of the spec, which accepts plain connections too. */
const encrypted: OwnPostgres['database'] = async (service) => {
  const database = await postgres.database(service);
  return { ...database, settings: securedDatabase(database.url) };
};

/** @param environment variables of orgs-teams, which uses all three servers */
function startWith(environment?: Readonly<Record<string, string>>, more: Pick<PlatformOptions, 'postgres'> = {}) {
  const { url, credentials, systemCredentials, accountSeed, operatorSeed } = nats;
  return startPlatform({
    ...more,
    hosts: organizationHosts,
    settings: {
      'http.baseURL': baseURL, 'mail.smtpURL': `smtp://platform:${encodeURIComponent('p@ss:word')}@${smtp.address}`,
      'nats.url': secured(url, 'tls:'), 'nats.credentials': credentials, 'nats.systemCredentials': systemCredentials,
      'nats.accountSeed': accountSeed, 'nats.operatorSeed': operatorSeed,
    },
    surroundings: (service) => (service === 'orgs-teams' && environment ? { environment } : {}),
  });
}

async function signUp({ http }: RunningPlatform, username: string): Promise<void> {
  const json = { username, email: `${username}@example.org`, full_name: '' };
  const headers = { 'origin': baseURL, 'sec-fetch-site': 'same-origin' };
  expect(await http.post('/auth/sign-up', { json, headers })).toMatchObject({ status: 202 });
}

async function bus({ services }: RunningPlatform): Promise<unknown> {
  const readiness = await adminHttp(services['orgs-teams'].addresses['admin']!).get('/readyz');
  return readiness.json<{ checks: { name: string }[] }>().checks.find(({ name }) => name === 'NATS');
}

describe('the authority of a company, on connections to PostgreSQL, NATS and a mail server', () => {
  it('is trusted where the bundle has it', async () => {
    const platform = await startWith({ NODE_EXTRA_CA_CERTS: files.ca }, { postgres: { ...postgres, database: encrypted } });
    await until(async () => (await bus(platform) as { ok: boolean }).ok, { what: 'NATS is connected' });
    await signUp(platform, 'ines');
    await until(() => smtp.taken.length === 1, { what: 'the mail arrives' });
    expect(smtp.taken).toMatchObject([{ to: ['ines@example.org'], secure: true, user: 'platform' }]);
  }, patience);

  it('is named as the cause where it is missing: NATS and mail', async () => {
    const platform = await startWith();
    await until(async () => unknownAuthority.test(JSON.stringify(await bus(platform))), { what: 'NATS is refused' });
    const before = smtp.taken.length;
    await signUp(platform, 'jana');
    const { log } = platform.services['orgs-teams'].replicas[0];
    const failed = await until(() => log.find((line) => /a job failed/.test(line)), { what: 'the mail is refused' });
    expect(failed).toMatch(unknownAuthority);
    expect(smtp.taken).toHaveLength(before);
  }, patience);

  it('is named as the cause where it is missing: PostgreSQL', async () => {
    const { url } = await postgres.database('clusters');
    const settings: ServiceSettings = {
      ...securedDatabase(url),
      ...Object.fromEntries(grpcServices.map(({ addresses }) => [addresses, '127.0.0.1:1'])),
      'secrets.serviceCredential': testSecret(),
      'secrets.encryptionKeys': testSecret(),
      'home': folder,
    };
    const environment = Object.fromEntries(Object.entries(settings).map(([key, value]) => {
      return [environmentName(key as SettingKey), value];
    }));
    const main = join(repositoryRoot, 'apps/clusters/src/main.ts');
    const env = { ...environment, PATH: process.env['PATH'] };
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const lines: string[] = [];
    createInterface(child.stdout).on('line', (line) => lines.push(line));
    try {
      await until(() => lines.length > 0, { within: 60_000, what: 'the start says something' });
      expect(lines[0]).toMatch(/PostgreSQL is not available yet/);
      expect(lines[0]).toMatch(unknownAuthority);
    } finally {
      child.kill();
      await exited;
    }
  }, patience);
});
