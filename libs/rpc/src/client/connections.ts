import { Client, connectivityState, status as Code } from '@grpc/grpc-js';
import { type Deadline, remaining, type Secret, shrink } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import { failed } from '../faults/status.ts';
import { channelCredentialsTo } from '../wire/transport.ts';
import { maxMessageBytes } from '../wire/wire.ts';
import { joinCalls } from './joined-client.ts';
import type { Replica } from './replica.ts';

const channelOptions = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  // Bytes that a stream may have in flight. With the default of 64 KiB, long answers wait for the reader after every
  // piece.
  'grpc-node.flow_control_window': 256 * 1024,
  // Reconnect quickly to a replica that comes back.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 250,
  // Detect a replica that hangs within 10 s, and end all calls to it. A busy replica answers a ping in each iteration
  // of its event loop.
  'grpc.keepalive_time_ms': 4_000,
  'grpc.keepalive_timeout_ms': 6_000,
  // The platform's own retries know which methods may be repeated. grpc-js itself repeats a call once if no server has
  // started it. Retry policies are not read from DNS.
  'grpc.service_config_disable_resolution': 1,
};

/** The beginning of the error details of a call that reached no server. */
export const unreached = 'No connection established';
/**
 * Time limit for connecting, in milliseconds. The kernel accepts connections even for a process that hangs. To a lost
 * node, it tries for two minutes, even if the address meanwhile leads to another node.
 */
const connectMs = 5_000;

/**
 * A client with this option makes separate connection attempts. Other clients with the same address share connections
 * and attempts.
 */
const ownAttempts = { 'grpc.use_local_subchannel_pool': 1 };

/** Credentials of connections. */
export interface ConnectionOptions {
  /** Opens internal methods and identifies a service of the platform. With it, calls are joined (ADR 0070). */
  readonly serviceCredential?: Secret | undefined;
  /** Certificates for mutual TLS; plain text without certificates. */
  readonly tls?: WatchedTls | undefined;
}

/** The connections to the replicas of a service. Each is opened at first use. */
export interface Connections {
  /** The replicas in the order of their addresses. */
  readonly replicas: readonly Replica[];
  /** Whether a replica is known to refuse connections, or to accept them without answering. */
  isAway(this: void, replica: Replica): boolean;
  /**
   * Waits while a replica connects; undefined if it is connected. If the replica failed to connect, there is no wait: a
   * call on it fails by itself. A replica without a connection for 5 s gets a new client.
   * @throws ServiceError
   */
  connect(replica: Replica, deadline: Deadline): Promise<void> | undefined;
  close(): void;
}

/** @param name of the service, for its certificate */
export function openConnections(
  name: string, addresses: readonly string[], { serviceCredential: secret, tls }: ConnectionOptions,
): Connections {
  const serviceCredential = secret?.reveal();
  // TLS needs a server name, and an IP address is not valid as one.
  const options = tls === undefined ? channelOptions : { ...channelOptions, 'grpc.ssl_target_name_override': name };
  const open = (address: string, further = {}): Replica => {
    const client = new Client(address, channelCredentialsTo(name, tls), { ...options, ...further });
    const joined = serviceCredential === undefined ? undefined : joinCalls(client, serviceCredential);
    return { client, serviceCredential, joined };
  };
  const close = ({ client, joined }: Replica): void => {
    joined?.end();
    client.close();
  };
  const replicas = addresses.map((address) => open(address));
  /** Replicas that accept connections without answering. */
  const hanging = new Set<Replica>();
  /** For each replica: since when calls have found it without a connection, on the clock of `performance.now()`. */
  const unconnected = new Map<Replica, number>();

  async function connected(replica: Replica, deadline: Deadline): Promise<void> {
    const now = performance.now();
    const end = now + Math.min(connectMs, remaining(shrink(deadline)));
    const since = unconnected.get(replica) ?? now;
    const isOver = now - since >= connectMs;
    unconnected.set(replica, isOver ? now : since);
    if (isOver) {
      close(replica);
      Object.assign(replica, open(addresses[replicas.indexOf(replica)]!, ownAttempts));
    }
    for (;;) {
      const { client } = replica;
      const state = client.getChannel().getConnectivityState(true);
      if (state !== connectivityState.IDLE && state !== connectivityState.CONNECTING) break;
      if (!(await changes(client, state, end - performance.now()))) {
        hanging.add(replica);
        throw failed(Code.UNAVAILABLE, `${unreached} in time`);
      }
    }
    hanging.delete(replica);
  }

  return {
    replicas,
    isAway: (replica) => stateOf(replica.client) === connectivityState.TRANSIENT_FAILURE || hanging.has(replica),
    connect: (replica, deadline) => {
      if (stateOf(replica.client) !== connectivityState.READY) return connected(replica, deadline);
      unconnected.delete(replica);
      return undefined;
    },
    close: () => replicas.forEach(close),
  };
}

function stateOf(client: Client): connectivityState {
  return client.getChannel().getConnectivityState(false);
}

/** Waits up to some milliseconds for a channel to leave a state; returns whether it did. */
export function changes(client: Client, state: connectivityState, within: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.getChannel().watchConnectivityState(state, Date.now() + within, (late) => resolve(late === undefined));
  });
}
