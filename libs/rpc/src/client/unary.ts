import { Client, connectivityState, Metadata, type ServiceError, status as Code } from '@grpc/grpc-js';
import { HealthCheckResponse_ServingStatus, HealthService } from '@platform/proto/grpc/health/v1/health';
import { type Deadline, remaining, type Secret, shrink, traceHeaders, withSpan } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import type { OutgoingContext } from '../call-context.ts';
import { deadlineExceeded, type Fault, outcomeUnknown, unavailable } from '../faults/fault.ts';
import { failed, faultOf, isAnswer, lossOf } from '../faults/status.ts';
import { mostJoinedBytes } from '../wire/joined.ts';
import { channelCredentialsTo } from '../wire/transport.ts';
import { maxMessageBytes, wire } from '../wire/wire.ts';
import { joinCalls, type JoinedClient, NotJoined } from './joined-client.ts';

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
   * repeatable, once more when it went away in mid-call. Where none can be reached, it waits a moment for one to come
   * back. The other side gets a little less time than `context.deadline` leaves.
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
/** Timers take no longer time than this. */
const longestTimeoutMs = 2 ** 31;

const channelOptions = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  // A replica that comes back is found again quickly.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 250,
  // A replica that hangs is noticed 10 s into a call at the latest, and all calls to it end. A busy one answers a ping
  // whenever its event loop turns.
  'grpc.keepalive_time_ms': 4_000,
  'grpc.keepalive_timeout_ms': 6_000,
  // Our own retries know which methods may be repeated; what no server has begun, grpc-js itself starts again once.
  // A retry policy from elsewhere is not asked for.
  'grpc.service_config_disable_resolution': 1,
};

/** How the details of a call begin that reached nobody. */
const unreached = 'No connection established';
/** What grpc-js says of a stream that a server has not begun, because it stops (RFC 9113 §8.7). */
const notBegun = 'Stream refused by server';
/** How long a connection may take, in milliseconds. A machine takes it also for a process that hangs. */
const connectMs = 5_000;
/**
 * How long calls wait, in milliseconds, from when no replica could be reached: one that came back just before the last
 * one went away is found again within the pause between attempts.
 */
const awayMs = 1_000;
/** Replicas that may go away over one call: it may be what ends them. */
const mostDied = 2;

/** Who calls, as the other side is shown it. */
export interface CallerOptions {
  /** Opens internal methods, and tells that it is a service of ours that calls; with it calls are joined (ADR 0070). */
  readonly serviceCredential?: Secret | undefined;
  /** Certificates for mutual TLS; plain text without. */
  readonly tls?: WatchedTls | undefined;
  /** What faults call the other side; its name unless given. */
  readonly label?: string;
}

/** A replica, and how calls reach it. */
interface Replica {
  readonly client: Client;
  readonly serviceCredential: string | undefined;
  /** Undefined where no credential lets calls be joined. */
  readonly joined: JoinedClient | undefined;
}

/**
 * Opens channels to the replicas of a service, at first use.
 * @param name of the service, for faults and for its certificate
 */
export function openReplicas(name: string, addresses: readonly string[], caller: CallerOptions = {}): Replicas {
  if (addresses.length === 0) throw new Error(`no address of ${name} is configured`);
  const { tls, label = name } = caller;
  const serviceCredential = caller.serviceCredential?.reveal();
  // TLS wants a name to ask for, and an address is none.
  const options = tls === undefined ? channelOptions : { ...channelOptions, 'grpc.ssl_target_name_override': name };
  const replicas = addresses.map((address): Replica => {
    const client = new Client(address, channelCredentialsTo(name, tls), options);
    const joined = serviceCredential === undefined ? undefined : joinCalls(client, serviceCredential);
    return { client, serviceCredential, joined };
  });
  /** Those that take connections and then say nothing. */
  const hanging = new Set<Client>();
  let turn = 0;

  /** All replicas, beginning with the next in turn; those known to be away come last. */
  function inTurn(): Replica[] {
    if (replicas.length === 1) return replicas;
    turn = (turn + 1) % replicas.length;
    const order = [...replicas.slice(turn), ...replicas.slice(0, turn)];
    const away = ({ client }: Replica) =>
      stateOf(client) === connectivityState.TRANSIENT_FAILURE || hanging.has(client);
    return [...order.filter((replica) => !away(replica)), ...order.filter(away)];
  }

  /** Waits while a client connects, but for one that has failed to: a call on it fails by itself. */
  async function connected(client: Client, deadline: Deadline): Promise<void> {
    const end = performance.now() + Math.min(connectMs, remaining(shrink(deadline)));
    for (;;) {
      const state = client.getChannel().getConnectivityState(true);
      if (state !== connectivityState.IDLE && state !== connectivityState.CONNECTING) break;
      if (!(await changes(client, state, end - performance.now()))) {
        hanging.add(client);
        throw failed(Code.UNAVAILABLE, `${unreached} in time`);
      }
    }
    hanging.delete(client);
  }

  /** Since when calls find no replica, on the clock of `performance.now()`. */
  let awaySince: number | undefined;

  /** Waits a moment for some replica to be connected again; not at all once they have all been away for longer. */
  async function someComesBack(deadline: Deadline): Promise<boolean> {
    awaySince ??= performance.now();
    const end = Math.min(awaySince + awayMs, performance.now() + remaining(shrink(deadline)));
    for (;;) {
      const states = replicas.map(({ client }) => client.getChannel().getConnectivityState(true));
      if (states.includes(connectivityState.READY)) {
        awaySince = undefined;
        return true;
      }
      const left = end - performance.now();
      if (left <= 0) return false;
      await Promise.race(replicas.map(({ client }, index) => changes(client, states[index]!, left)));
    }
  }

  return {
    call: (method, request, context, entries) =>
      withSpan(method.path.slice(1), { kind: 'client' }, async () => {
        const outgoing: Outgoing = {
          path: method.path,
          request: method.requestSerialize(request),
          metadata: [...headersOf(context), ...entries],
          context,
        };
        let refused: Fault | undefined;
        let died = 0;
        for (let isLast = false; ; isLast = true) {
          let isAnswered = false;
          for (const replica of inTurn()) {
            if (remaining(context.deadline) === 0) throw refused ?? deadlineExceeded();
            try {
              const { client } = replica;
              if (stateOf(client) !== connectivityState.READY) await connected(client, context.deadline);
              const response = await send(replica, outgoing);
              awaySince = undefined;
              return method.responseDeserialize(response);
            } catch (error) {
              const lost = error as ServiceError;
              refused = faultOf(lost, label);
              if (isAnswer(lost)) {
                isAnswered = true;
                awaySince = undefined;
              }
              if (!mayTryAnother(lost, method.repeatable)) {
                throw wasUnderWay(lost) ? outcomeUnknown(label, lost) : refused;
              }
              if (wasUnderWay(lost)) died += 1;
              if (died === mostDied) throw refused;
            }
          }
          if (isLast || isAnswered || !(await someComesBack(context.deadline))) throw refused ?? unavailable(label);
        }
      }),
    probe: async (deadline) => {
      const { path, requestSerialize, responseDeserialize } = HealthService.check;
      const request = requestSerialize({ service: '' });
      const question: Outgoing = { path, request, metadata: [], context: { deadline, requestId: '' } };
      const asked = replicas.map(async (replica, index) => {
        const answer = sendAlone(replica, question, remaining(deadline)).then(responseDeserialize);
        const serves = await answer.then(({ status }) => status === serving, () => false);
        return { address: addresses[index]!, serves };
      });
      return Promise.all(asked);
    },
    [Symbol.asyncDispose]: async () => {
      for (const { client, joined } of replicas) {
        joined?.end();
        client.close();
      }
    },
  };
}

function stateOf(client: Client): connectivityState {
  return client.getChannel().getConnectivityState(false);
}

/** Whether a channel leaves a state within some milliseconds. */
function changes(client: Client, state: connectivityState, within: number): Promise<boolean> {
  return new Promise((resolve) => {
    client.getChannel().watchConnectivityState(state, Date.now() + within, (late) => resolve(late === undefined));
  });
}

/** A call, encoded once for whichever replica takes it. */
interface Outgoing {
  readonly path: string;
  readonly request: Buffer;
  readonly metadata: readonly (readonly [string, string | Buffer])[];
  readonly context: OutgoingContext;
}

async function send(replica: Replica, outgoing: Outgoing): Promise<Buffer> {
  const { joined } = replica;
  const { context, ...call } = outgoing;
  // Whoever asked may have gone while the way was made; a signal tells of it only once.
  if (context.cancelled?.aborted) throw failed(Code.CANCELLED, 'cancelled');
  const timeoutMs = remaining(shrink(context.deadline));
  if (joined?.isTaken && call.request.length <= mostJoinedBytes && timeoutMs < longestTimeoutMs) {
    try {
      return await joined.call({ ...call, timeoutMs, cancelled: context.cancelled });
    } catch (error) {
      if (!(error instanceof NotJoined)) throw error;
    }
  }
  return sendAlone(replica, outgoing, timeoutMs);
}

function sendAlone(
  { client, serviceCredential }: Replica,
  { path, request, metadata, context }: Outgoing,
  timeoutMs: number,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const given = new Metadata();
    if (serviceCredential !== undefined) given.set(wire.serviceCredential, serviceCredential);
    for (const [key, value] of metadata) given.set(key, value);
    const call = client.makeUnaryRequest(
      path,
      asItIs,
      asItIs,
      request,
      given,
      { deadline: Date.now() + timeoutMs },
      (error, response) => (error ? reject(lossOf(error, context.cancelled?.aborted === true)) : resolve(response!)),
    );
    context.cancelled?.addEventListener('abort', () => call.cancel(), { once: true });
  });
}

const asItIs = (bytes: Buffer): Buffer => bytes;

function headersOf({ requestId }: OutgoingContext): [string, string][] {
  const headers: [string, string][] = [[wire.requestId, requestId]];
  const { traceparent, tracestate } = traceHeaders();
  if (traceparent !== undefined) headers.push([wire.traceparent, traceparent]);
  if (tracestate !== undefined) headers.push([wire.tracestate, tracestate]);
  return headers;
}

/**
 * A replica that could not be reached was not asked, so another may be. One that went away in mid-call may have done
 * the work, so only what is repeatable is asked again. A refusal by the service itself carries a status detail and
 * means the same everywhere, but for UNAVAILABLE: there another replica may do better.
 */
function mayTryAnother(error: ServiceError, repeatable: boolean): boolean {
  if (error.code !== Code.UNAVAILABLE) return false;
  return repeatable || !wasAsked(error);
}

function wasAsked({ details }: ServiceError): boolean {
  return !details.startsWith(unreached) && details !== notBegun;
}

/** The service was asked, and went away without a word of its own. */
function wasUnderWay(error: ServiceError): boolean {
  return error.code === Code.UNAVAILABLE && wasAsked(error) && !isAnswer(error);
}
