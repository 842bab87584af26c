import { once } from 'node:events';
import { statfs, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { probeStreams } from '@platform/bus';
import type { ServerBinary } from './find-binary.ts';
import { natsAuthority, presentAccounts } from './nats-authority.ts';
import { natsConfiguration } from './nats-configuration.ts';
import { type NatsAccess, PROBE_MILLISECONDS, probeNats } from './nats-probe.ts';
import { stopLeftover } from './pid-file.ts';
import { freePorts } from './ports.ts';
import type { ServerPlan } from './server-plan.ts';
import type { State } from './state.ts';
import { until } from './until.ts';

export interface NatsAddress {
  readonly kind: 'address';
  readonly access: NatsAccess;
}

interface NatsPlanOptions {
  readonly source: ServerBinary;
  readonly state: State;
  /** The port to use. Default: a free port. */
  readonly port?: number;
  /** For tests: JetStream does not sync each message. Messages may be lost if the machine fails. */
  readonly volatile?: boolean;
}

export interface NatsPlan extends ServerPlan {
  readonly access: NatsAccess;
}

/** A disk with at most this much free space counts as full. */
const leastFreeBytes = 4 * 1024 * 1024;

/**
 * Returns a plan for a NATS server that keeps its data in the state folder. The first call for a state folder creates
 * the operator, the accounts and their users.
 */
export async function planNats(options: NatsPlanOptions): Promise<NatsPlan> {
  const { source, state } = options;
  const port = options.port ?? (await freePorts(1))[0]!;
  const authority = await natsAuthority(state);
  const configuration = join(state.nats, 'server.conf');
  const accounts = join(state.nats, 'accounts');
  const pidFile = state.pidFile('nats');
  const { credentials, systemCredentials, account: { seed: accountSeed }, operatorSeed } = authority;
  const url = `nats://127.0.0.1:${port}`;
  const access: NatsAccess = { url, credentials, systemCredentials, accountSeed, operatorSeed };
  return {
    name: 'nats',
    command: source.file,
    args: ['-c', configuration],
    environment: { PATH: '/usr/bin:/bin' },
    workingDirectory: state.nats,
    pidFile,
    ports: [port],
    portFixed: options.port !== undefined,
    // SIGTERM closes all connections at once. SIGUSR2 (lame duck mode) would close them gradually.
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
      const { bavail, bsize } = await statfs(state.nats);
      // Do not probe the streams while the disk is full. A failed probe leads to a restart, which would not help.
      if (bavail * bsize > leastFreeBytes) await probeStreams(access, PROBE_MILLISECONDS);
    },
  };
}

/** Waits for the greeting that a NATS server sends to every new client. */
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
