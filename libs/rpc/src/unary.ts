import { Client, connectivityState, Metadata, type ServiceError, status as Code } from '@grpc/grpc-js';
import { HealthCheckResponse_ServingStatus, HealthService } from '@platform/proto/grpc/health/v1/health';
import { type Deadline, remaining, shrink, traceHeaders, withSpan } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import type { OutgoingContext } from './call-context.ts';
import { deadlineExceeded, type Fault, unavailable } from './fault.ts';
import { faultOf } from './status.ts';
import { channelCredentialsTo } from './transport.ts';
import { maxMessageBytes, wire } from './wire.ts';

/** One method of another service, ready to be called. */
export interface UnaryMethod<Request, Response> {
  /** `/platform.orgs.v1.OrganizationService/GetOrganization`. */
  path: string;
  requestSerialize: (request: Request) => Buffer;
  responseDeserialize: (bytes: Buffer) => Response;
  /** May be sent again when a service went away in mid-call. */
  repeatable: boolean;
}

/** The replicas of one service. */
export interface Replicas extends AsyncDisposable {
  /**
   * Calls a method on one of the replicas; on another one when the first could not be reached, and, if the method is
   * repeatable, when it went away in mid-call. The other side gets a little less time than `context.deadline` leaves.
   * @param entries metadata beside request id and trace
   * @throws Fault
   */
  call<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    context: OutgoingContext,
    entries: readonly (readonly [string, string | Buffer])[],
  ): Promise<Response>;
  /** Asks each replica whether it serves (`grpc.health.v1`); one that does not answer in time does not. */
  probe(deadline: Deadline): Promise<readonly { readonly address: string; readonly serves: boolean }[]>;
}

const serving = HealthCheckResponse_ServingStatus.SERVING;

const channelOptions = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  // A replica that comes back is found again quickly; the pause between attempts stays below a second.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  // A replica that hangs is noticed 10 s into a call at the latest, and all calls to it end. A busy one answers a ping
  // whenever its event loop turns.
  'grpc.keepalive_time_ms': 4_000,
  'grpc.keepalive_timeout_ms': 6_000,
  // Our own retries know which methods may be repeated.
  'grpc.enable_retries': 0,
};

/** How the details of a call begin that reached nobody. */
const unreached = 'No connection established';
/** How long a connection may take, in milliseconds. A machine takes it also for a process that hangs. */
const connectMs = 5_000;

/**
 * Opens channels to the replicas of a service, at first use.
 * @param name of the service, for faults and traces, and for its certificate
 * @param tls certificates for mutual TLS; plain text without
 */
export function openReplicas(name: string, addresses: readonly string[], tls?: WatchedTls): Replicas {
  if (addresses.length === 0) throw new Error(`no address of ${name} is configured`);
  // TLS wants a name to ask for, and an address is none.
  const options = tls === undefined ? channelOptions : { ...channelOptions, 'grpc.ssl_target_name_override': name };
  const clients = addresses.map((address) => new Client(address, channelCredentialsTo(name, tls), options));
  /** Those that take connections and then say nothing. */
  const hanging = new Set<Client>();
  let turn = 0;

  /** All replicas, beginning with the next in turn; those known to be away come last. */
  function inTurn(): Client[] {
    if (clients.length === 1) return clients;
    turn = (turn + 1) % clients.length;
    const order = [...clients.slice(turn), ...clients.slice(0, turn)];
    const away = (client: Client) => stateOf(client) === connectivityState.TRANSIENT_FAILURE || hanging.has(client);
    return [...order.filter((client) => !away(client)), ...order.filter(away)];
  }

  /** Waits while a client connects, but for one that has failed to: a call on it fails by itself. */
  async function connected(client: Client, deadline: Deadline): Promise<void> {
    const until = Date.now() + Math.min(connectMs, remaining(shrink(deadline)));
    for (;;) {
      const state = client.getChannel().getConnectivityState(true);
      if (state !== connectivityState.IDLE && state !== connectivityState.CONNECTING) break;
      if (!(await changes(client, state, until))) {
        hanging.add(client);
        throw notConnected();
      }
    }
    hanging.delete(client);
  }

  return {
    call: (method, request, context, entries) =>
      withSpan(method.path.slice(1), { kind: 'client' }, async () => {
        const metadata = metadataOf(context, entries);
        let refused: Fault | undefined;
        for (const client of inTurn()) {
          if (remaining(context.deadline) === 0) throw refused ?? deadlineExceeded();
          try {
            if (stateOf(client) !== connectivityState.READY) await connected(client, context.deadline);
            return await unary(client, method, request, metadata, context);
          } catch (error) {
            refused = faultOf(error as ServiceError, name);
            if (!mayTryAnother(error as ServiceError, method.repeatable)) throw refused;
          }
        }
        throw refused ?? unavailable(name);
      }),
    probe: async (deadline) => {
      const context = { deadline, requestId: '' };
      const asked = clients.map(async (client, index) => {
        const method = { ...HealthService.check, repeatable: true };
        const answer = unary(client, method, { service: '' }, new Metadata(), context);
        const serves = await answer.then(({ status }) => status === serving, () => false);
        return { address: addresses[index]!, serves };
      });
      return Promise.all(asked);
    },
    [Symbol.asyncDispose]: async () => {
      for (const client of clients) client.close();
    },
  };
}

function stateOf(client: Client): connectivityState {
  return client.getChannel().getConnectivityState(false);
}

/** Whether a channel leaves a state before a moment on the wall clock. */
function changes(client: Client, state: connectivityState, until: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.getChannel().watchConnectivityState(state, until, (late) => resolve(late === undefined));
  });
}

/** What grpc-js says when nobody could be reached. */
function notConnected(): ServiceError {
  const details = `${unreached} in time`;
  return Object.assign(new Error(details), { code: Code.UNAVAILABLE, details, metadata: new Metadata() });
}

function unary<Request, Response>(
  client: Client,
  method: UnaryMethod<Request, Response>,
  request: Request,
  metadata: Metadata,
  context: OutgoingContext,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const left = remaining(shrink(context.deadline));
    const options = left === Infinity ? {} : { deadline: Date.now() + left };
    const call = client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      options,
      (error, response) => (error ? reject(error) : resolve(response!)),
    );
    context.cancelled?.addEventListener('abort', () => call.cancel(), { once: true });
  });
}

function metadataOf(context: OutgoingContext, entries: readonly (readonly [string, string | Buffer])[]): Metadata {
  const metadata = new Metadata();
  metadata.set(wire.requestId, context.requestId);
  const { traceparent, tracestate } = traceHeaders();
  if (traceparent !== undefined) metadata.set(wire.traceparent, traceparent);
  if (tracestate !== undefined) metadata.set(wire.tracestate, tracestate);
  for (const [key, value] of entries) metadata.set(key, value);
  return metadata;
}

/**
 * A replica that could not be reached was not asked, so another may be. One that went away in mid-call may have done
 * the work, so only what is repeatable is asked again. A refusal by the service itself carries a status detail and
 * means the same everywhere, but for UNAVAILABLE: there another replica may do better.
 */
function mayTryAnother(error: ServiceError, repeatable: boolean): boolean {
  if (error.code !== Code.UNAVAILABLE) return false;
  return repeatable || error.details.startsWith(unreached);
}
