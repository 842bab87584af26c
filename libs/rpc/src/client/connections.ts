import { lookup as lookUp } from 'node:dns/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, connectivityState, status as Code } from '@grpc/grpc-js';
import { type Deadline, remaining, type Secret, shrink } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import { failed } from '../faults/status.ts';
import { channelCredentialsTo } from '../wire/transport.ts';
import { maxMessageBytes } from '../wire/wire.ts';
import { joinCalls } from './joined-client.ts';
import type { Replica } from './replica.ts';
import { type Lookup, watchAddresses } from './watch-addresses.ts';

const channelOptions = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  // With the default of 64 KiB, long responses would be slow.
  'grpc-node.flow_control_window': 256 * 1024,
  // Reconnect quickly to a replica that comes back.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 250,
  // Detect within 10 s that a replica hangs, and end its calls. A busy replica still answers pings unless its event
  // loop is blocked.
  'grpc.keepalive_time_ms': 4_000,
  'grpc.keepalive_timeout_ms': 6_000,
  // Do not read retry policies from DNS, because the platform decides which calls to repeat.
  'grpc.service_config_disable_resolution': 1,
  // Connections between services never go through an egress proxy (ADR 0277).
  'grpc.enable_http_proxy': 0,
};

/** If the error details of a call begin with this text, the call reached no server. */
export const unreached = 'No connection established';
/**
 * Time limit for connecting, in milliseconds. Without it, a call could wait long for a lost node or a process that
 * hangs.
 */
const connectMs = 5_000;
/** A call starts a new lookup of host names if the last lookup ended at least this many milliseconds ago. */
const lookUpAfterMs = 5_000;
/** Replaces {@link lookUpAfterMs} while a replica is not connected, because that replica may be gone. */
const lostAfterMs = 1_000;
/** Replaces {@link lookUpAfterMs} while a call waits for a connection. */
const awayAfterMs = 250;
/** How long a call waits for the chosen replica to connect while another replica is connected, in milliseconds. */
const turnMs = 250;

export interface ConnectionOptions {
  /** Credential of a service or of the operator, for internal methods and joined calls (ADR 0070). */
  readonly serviceCredential?: Secret | undefined;
  /** Certificates for mutual TLS. If undefined, connections use plain text. */
  readonly tls?: WatchedTls | undefined;
  readonly lookup?: Lookup;
}

/** The connections to the replicas of one service. They are opened on demand. */
export interface Connections {
  /** The current replicas. The replicas of a host name are unknown before its first successful lookup. */
  readonly replicas: readonly Replica[];
  /** An error of the last lookup of host names; undefined if there was none. */
  readonly failure: unknown;
  /**
   * Starts a lookup of names if one is due. If no replica is known, returns a promise that resolves after the lookup.
   */
  refresh(): Promise<void> | undefined;
  /**
   * Returns all replicas in round-robin order, connected replicas first and unreachable replicas last. If there are
   * several replicas, also starts to connect the unconnected replicas.
   */
  inOrder(): readonly Replica[];
  /** Waits until the state of a replica, or the list of replicas, may have changed; at most `within` milliseconds. */
  someChange(within: number): Promise<void>;
  /**
   * Waits until the replica is connected or the attempt to connect has failed. Returns undefined if the replica is
   * connected already. First replaces the client of the replica if calls have not been able to connect for 5 s.
   * @throws ServiceError if the replica is still connecting after 5 s or shortly before the deadline; after 250 ms if
   *   another replica is connected
   */
  connect(replica: Replica, deadline: Deadline): Promise<void> | undefined;
  /**
   * Subtracts an ended call from `replica.calls`. Closes the replica after its last call if its address is no longer
   * listed.
   */
  release(replica: Replica): void;
  close(): void;
}

/**
 * Returns the connections to a service. With TLS, the certificates of the replicas must name the service.
 * @param name name of the service
 */
export function openConnections(
  name: string, addresses: readonly string[], { serviceCredential: secret, tls, lookup = lookUpAll }: ConnectionOptions,
): Connections {
  const serviceCredential = secret?.reveal();
  // TLS needs a server name, and an IP address is not a valid server name.
  const options = tls === undefined ? channelOptions : { ...channelOptions, 'grpc.ssl_target_name_override': name };
  const open = (address: string, further = {}): Pick<Replica, 'client' | 'joined'> => {
    const client = new Client(address, channelCredentialsTo(name, tls), { ...options, ...further });
    const joined = serviceCredential === undefined ? undefined : joinCalls(client, serviceCredential);
    return { client, joined };
  };
  const close = ({ client, joined }: Replica): void => {
    joined?.end();
    client.close();
  };
  /** Replicas that did not connect in time at the last attempt. */
  const hanging = new WeakSet<Replica>();
  /** For each replica: the time (`performance.now()`) at which a call first found the replica not connected. */
  const unconnected = new WeakMap<Replica, number>();
  let replicas: readonly Replica[] = [];
  let next = 0;
  let isClosed = false;

  /**
   * Adds a replica for each new address. Removes replicas whose addresses are no longer listed, and closes them after
   * their last calls.
   */
  function update(): void {
    if (isClosed) return;
    const { current } = watched;
    const left = replicas.filter(({ address }) => !current.includes(address));
    const kept = replicas.filter(({ address }) => current.includes(address));
    const known = new Set(kept.map(({ address }) => address));
    replicas = [...kept, ...current.filter((address) => !known.has(address)).map((address): Replica => {
      return { address, serviceCredential, calls: 0, ...open(address) };
    })];
    for (const replica of left) if (replica.calls === 0) close(replica);
  }

  const watched = watchAddresses(addresses, lookup, update);
  update();

  const isAway = (replica: Replica): boolean =>
    stateOf(replica) === connectivityState.TRANSIENT_FAILURE || hanging.has(replica);

  /** Starts to connect all replicas. Waits at most `within` milliseconds for a change of their states or addresses. */
  async function someChange(within: number, ...further: readonly Replica[]): Promise<void> {
    const { age } = watched;
    const most = age === undefined ? within : Math.min(within, awayAfterMs);
    const changes = [...new Set([...replicas, ...further])].map(({ client }) => change(client, most));
    if (age !== undefined) changes.push(age >= awayAfterMs ? watched.lookUp() : pause(most));
    await Promise.race(changes);
  }

  async function becomesConnected(replica: Replica, deadline: Deadline): Promise<void> {
    const now = performance.now();
    const end = now + Math.min(connectMs, remaining(shrink(deadline)));
    const since = unconnected.get(replica) ?? now;
    const isOver = now - since >= connectMs;
    unconnected.set(replica, isOver ? now : since);
    if (isOver) {
      close(replica);
      // This option makes the new client connect separately. By default, clients of one address share a connection.
      Object.assign(replica, open(replica.address, { 'grpc.use_local_subchannel_pool': 1 }));
    }
    for (;;) {
      const state = replica.client.getChannel().getConnectivityState(true);
      if (state !== connectivityState.IDLE && state !== connectivityState.CONNECTING) break;
      const left = end - performance.now();
      if (left <= 0) {
        hanging.add(replica);
        throw failed(Code.UNAVAILABLE, `${unreached} in time`);
      }
      if (performance.now() - now >= turnMs && replicas.some(isConnected)) {
        throw failed(Code.UNAVAILABLE, `${unreached}, but another replica is connected`);
      }
      await someChange(Math.min(left, turnMs), replica);
    }
    hanging.delete(replica);
  }

  return {
    get replicas() {
      return replicas;
    },
    get failure() {
      return watched.failure;
    },
    refresh: () => {
      const { age } = watched;
      if (age === undefined) return undefined;
      if (replicas.length === 0) return watched.lookUp();
      if (age >= lookUpAfterMs || (age >= lostAfterMs && !replicas.every(isConnected))) void watched.lookUp();
      return undefined;
    },
    inOrder: () => {
      if (replicas.length < 2) return replicas;
      next = (next + 1) % replicas.length;
      const order = [...replicas.slice(next), ...replicas.slice(0, next)];
      const connected = order.filter(isConnected);
      if (connected.length === order.length) return order;
      const others = order.filter((replica) => !connected.includes(replica));
      for (const { client } of others) client.getChannel().getConnectivityState(true);
      return [...connected, ...others.filter((replica) => !isAway(replica)), ...others.filter(isAway)];
    },
    someChange: (within) => someChange(within),
    connect: (replica, deadline) => {
      if (!isConnected(replica)) return becomesConnected(replica, deadline);
      unconnected.delete(replica);
      return undefined;
    },
    release: (replica) => {
      replica.calls -= 1;
      if (replica.calls === 0 && !replicas.includes(replica)) close(replica);
    },
    close: () => {
      isClosed = true;
      replicas.forEach(close);
    },
  };
}

const lookUpAll: Lookup = (host) => lookUp(host, { all: true });

function stateOf({ client }: Replica): connectivityState {
  return client.getChannel().getConnectivityState(false);
}

export function isConnected(replica: Replica): boolean {
  return stateOf(replica) === connectivityState.READY;
}

/** Starts to connect a channel, and waits until its state changes; at most `within` milliseconds. */
function change(client: Client, within: number): Promise<void> {
  const channel = client.getChannel();
  return new Promise((resolve) => {
    channel.watchConnectivityState(channel.getConnectivityState(true), Date.now() + within, () => resolve());
  });
}
