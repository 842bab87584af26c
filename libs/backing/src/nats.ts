import { once } from 'node:events';
import { statfs, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { probeJetstream, probeStreams } from '@platform/bus';
import { BackingFault } from './fault.ts';
import type { ServerBinary } from './find-binary.ts';
import { natsAuthority, presentAccounts } from './nats-authority.ts';
import { natsConfiguration } from './nats-configuration.ts';
import { stopLeftover } from './pid-file.ts';
import { freePorts } from './ports.ts';
import type { ServerPlan } from './server-plan.ts';
import type { State } from './state.ts';
import { until } from './until.ts';

/** What the platform needs to use a NATS in operator mode, and to admit and expel others. All but `url` are secrets. */
export interface NatsAccess {
  /** `nats://127.0.0.1:<port>` */
  readonly url: string;
  /** Credentials (the text of a `.creds` file) of the platform's own user. */
  readonly credentials: string;
  /** Credentials of a user of the system account; they may push account JWTs. */
  readonly systemCredentials: string;
  /** Seed (`SA…`) of the platform's account: signs users. */
  readonly accountSeed: string;
  /** Seed (`SO…`) of the operator, or of one of its signing keys: signs the account's JWT, with its revocations. */
  readonly operatorSeed: string;
}

/** A NATS that somebody else runs. */
export interface NatsAddress {
  readonly kind: 'address';
  readonly access: NatsAccess;
}

export interface NatsPlanOptions {
  readonly source: ServerBinary;
  readonly state: State;
  /** Fixed port; default a free one. */
  readonly port?: number;
  /** For tests: JetStream does not sync each message. Survives a kill of the server, not of the machine. */
  readonly volatile?: boolean;
}

export interface NatsPlan extends ServerPlan {
  readonly access: NatsAccess;
}

/** Length of one question to the server; the caller's signal may end it earlier. */
const PROBE_MILLISECONDS = 2_000;
/** A disk with less free is full. */
const leastFreeBytes = 4 * 1024 * 1024;

/** Plans a NATS on this state. First start: operator, system account, platform account and their users are made. */
export async function planNats(options: NatsPlanOptions): Promise<NatsPlan> {
  const { source, state } = options;
  const port = options.port ?? (await freePorts(1))[0]!;
  const authority = await natsAuthority(state);
  const configuration = join(state.nats, 'server.conf');
  const accounts = join(state.nats, 'accounts');
  const pidFile = state.pidFile('nats');
  const access: NatsAccess = {
    url: `nats://127.0.0.1:${port}`,
    credentials: authority.credentials,
    systemCredentials: authority.systemCredentials,
    accountSeed: authority.account.seed,
    operatorSeed: authority.operatorSeed,
  };
  return {
    name: 'nats',
    command: source.file,
    args: ['-c', configuration],
    environment: { PATH: '/usr/bin:/bin' },
    workingDirectory: state.nats,
    pidFile,
    ports: [port],
    portFixed: options.port !== undefined,
    // Connections are closed and JetStream's files flushed. SIGUSR2 would wait for the clients to leave first.
    stopSignal: 'SIGTERM',
    graceMilliseconds: 4_000,
    readyMilliseconds: 30_000,
    access,
    async prepare() {
      await stopLeftover(pidFile);
      await presentAccounts(accounts, authority);
      const text = natsConfiguration(authority, {
        listen: `127.0.0.1:${port}`, jetstream: join(state.nats, 'jetstream'), accounts, volatile: options.volatile,
      });
      await writeFile(configuration, text, { mode: 0o600 });
    },
    ready: (signal) => until((attempt) => probeNats(access, attempt), signal),
    alive: async (signal) => {
      await greeting(port, signal);
      // While the disk is full, starting it again would not help.
      if (await freeBytes(state.nats) > leastFreeBytes) await probeStreams(access, PROBE_MILLISECONDS);
    },
  };
}

/**
 * Connects once with the platform's credentials and asks JetStream for the account.
 * @throws BackingFault NOT_READY
 */
export async function probeNats(
  access: Pick<NatsAccess, 'url' | 'credentials'>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  try {
    await probeJetstream(access, PROBE_MILLISECONDS);
  } catch (error) {
    const message = `NATS at ${access.url} does not answer: ${(error as Error).message}.`;
    const cure = 'Check that it runs, its address and the credentials.';
    throw new BackingFault('NOT_READY', message, cure, { cause: error });
  }
  signal.throwIfAborted();
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** A NATS server speaks first: it describes itself to every client. */
async function greeting(port: number, signal: AbortSignal): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, signal });
  try {
    const silent = once(socket, 'close', { signal }).then(() => {
      throw new Error('it closed the connection');
    });
    await Promise.race([once(socket, 'data', { signal }), silent]);
  } finally {
    socket.destroy();
  }
}
