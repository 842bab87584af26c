import { Client, connectivityState, type ServiceError, status as Code } from '@grpc/grpc-js';
import { HealthCheckResponse_ServingStatus, HealthService } from '@platform/proto/grpc/health/v1/health';
import { type Deadline, remaining, type Secret, shrink, withSpan } from '@platform/service';
import type { WatchedTls } from '@platform/tls';
import type { OutgoingContext } from '../call-context.ts';
import { deadlineExceeded, type Fault, outcomeUnknown, unavailable } from '../faults/fault.ts';
import { failed, faultOf, isAnswer } from '../faults/status.ts';
import { channelCredentialsTo } from '../wire/transport.ts';
import { maxMessageBytes } from '../wire/wire.ts';
import { keepDrainingCalls } from './draining.ts';
import { joinCalls } from './joined-client.ts';
import { type Entries, headersOf, type Replica } from './replica.ts';
import { openResponses, sendRequests } from './streams.ts';
import { send, sendAlone } from './unary.ts';

/** One method of another service, ready to be called. */
export interface UnaryMethod<Request, Response> {
  /** `/platform.orgs.v1.OrganizationService/GetOrganization`. */
  path: string;
  requestSerialize: (request: Request) => Buffer;
  responseDeserialize: (bytes: Buffer) => Response;
  /** May be sent again when a service went away during the call. */
  repeatable: boolean;
}

/** The replicas of one service. `entries` is metadata beside request id and trace. All methods throw Faults. */
export interface Replicas extends AsyncDisposable {
  /**
   * Calls a unary method on one of the replicas. Another replica is tried when the first cannot be reached and, if the
   * method is repeatable, also when it went away during the call. If none can be reached, the call waits up to a
   * second for one to come back. The other side gets a little less time than `context.deadline` leaves.
   */
  call<Request, Response>(
    method: UnaryMethod<Request, Response>, request: Request, context: OutgoingContext, entries: Entries,
  ): Promise<Response>;
  /**
   * Calls a server-streaming method. Replicas are chosen as for {@link call} until the first response; a stream that
   * ends early after it throws UNAVAILABLE, and the caller resumes. Ending the iteration cancels the call.
   */
  receive<Request, Response>(
    method: UnaryMethod<Request, Response>, request: Request, context: OutgoingContext, entries: Entries,
  ): AsyncGenerator<Response, void, undefined>;
  /**
   * Calls a client-streaming method. Another replica is tried only while no request has been taken from `requests`. An
   * error thrown by `requests` cancels the call and is thrown as it is.
   */
  send<Request, Response>(
    method: UnaryMethod<Request, Response>, requests: Requests<Request>, context: OutgoingContext, entries: Entries,
  ): Promise<Response>;
  /** Asks each replica whether it serves (`grpc.health.v1`); one that does not answer in time does not. */
  probe(deadline: Deadline): Promise<readonly { readonly address: string; readonly serves: boolean }[]>;
}

/** The messages of a client stream. */
export type Requests<Request> = AsyncIterable<Request> | Iterable<Request>;

const serving = HealthCheckResponse_ServingStatus.SERVING;

const channelOptions = {
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  // What a stream may have on its way: with the usual 64 KiB, long answers wait for the reader at every piece.
  'grpc-node.flow_control_window': 256 * 1024,
  // A replica that comes back is found again quickly.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 250,
  // A replica that hangs is noticed 10 s into a call at the latest, and all calls to it end. A busy one answers a ping
  // in each iteration of its event loop.
  'grpc.keepalive_time_ms': 4_000,
  'grpc.keepalive_timeout_ms': 6_000,
  // Our own retries know which methods may be repeated; grpc-js itself repeats once what no server has begun. Retry
  // policies from elsewhere are not asked for.
  'grpc.service_config_disable_resolution': 1,
};

/** How the details of a call begin that reached no server. */
const unreached = 'No connection established';
/** What grpc-js says of a stream that a stopping server has not begun (RFC 9113 §8.7). */
const notBegun = 'Stream refused by server';
/** How long a connection may take, in milliseconds. The kernel accepts connections for a process that hangs, too. */
const connectMs = 5_000;
/**
 * How long calls wait, in milliseconds, from when no replica could be reached: one that came back just before the last
 * one went away is found again within the pause between attempts.
 */
const awayMs = 1_000;
/** How many replicas may die during one call: the call may be what kills them. */
const mostDied = 2;

/** How this process identifies itself to the service it calls. */
export interface CallerOptions {
  /** Opens internal methods and identifies a service of ours; with it calls are joined (ADR 0070). */
  readonly serviceCredential?: Secret | undefined;
  /** Certificates for mutual TLS; plain text without. */
  readonly tls?: WatchedTls | undefined;
  /** What faults call the other side; default: its name. */
  readonly label?: string;
  /** How long a stream may wait for one message, in milliseconds; default 30,000. */
  readonly streamIdleMs?: number;
}

/**
 * Opens channels to the replicas of a service, at first use.
 * @param name of the service, for faults and for its certificate
 */
export function openReplicas(name: string, addresses: readonly string[], caller: CallerOptions = {}): Replicas {
  if (addresses.length === 0) throw new Error(`no address of ${name} is configured`);
  keepDrainingCalls();
  const { tls, label = name, streamIdleMs } = caller;
  const serviceCredential = caller.serviceCredential?.reveal();
  // TLS needs a name to ask for, and an address is not one.
  const options = tls === undefined ? channelOptions : { ...channelOptions, 'grpc.ssl_target_name_override': name };
  const replicas = addresses.map((address): Replica => {
    const client = new Client(address, channelCredentialsTo(name, tls), options);
    const joined = serviceCredential === undefined ? undefined : joinCalls(client, serviceCredential);
    return { client, serviceCredential, joined };
  });
  /** Those that accept connections and then say nothing. */
  const hanging = new Set<Client>();
  let next = 0;

  /** All replicas, round robin; those known to be away come last. */
  function inOrder(): Replica[] {
    if (replicas.length === 1) return replicas;
    next = (next + 1) % replicas.length;
    const order = [...replicas.slice(next), ...replicas.slice(0, next)];
    const away = ({ client }: Replica) =>
      stateOf(client) === connectivityState.TRANSIENT_FAILURE || hanging.has(client);
    return [...order.filter((replica) => !away(replica)), ...order.filter(away)];
  }

  /** Waits while a client connects. A client that failed to connect is not waited for: a call on it fails by itself. */
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

  /** Waits for some replica to connect again; not at all once they have all been away for {@link awayMs}. */
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

  /** Makes an attempt on one replica after the other, until one succeeds or its failure is final. @throws Fault */
  async function onSome<Result>(
    { deadline }: OutgoingContext,
    isRepeatable: (error: ServiceError) => boolean,
    attempt: (replica: Replica) => Promise<Result>,
  ): Promise<Result> {
    let refused: Fault | undefined;
    let died = 0;
    for (let isLast = false; ; isLast = true) {
      let isAnswered = false;
      for (const replica of inOrder()) {
        if (remaining(deadline) === 0) throw refused ?? deadlineExceeded();
        try {
          const { client } = replica;
          if (stateOf(client) !== connectivityState.READY) await connected(client, deadline);
          const result = await attempt(replica);
          awaySince = undefined;
          return result;
        } catch (error) {
          const lost = error as ServiceError;
          refused = faultOf(lost, label);
          if (isAnswer(lost)) {
            isAnswered = true;
            awaySince = undefined;
          }
          if (!isRepeatable(lost)) throw wasUnderWay(lost) ? outcomeUnknown(label, lost) : refused;
          if (wasUnderWay(lost)) died += 1;
          if (died === mostDied) throw refused;
        }
      }
      if (isLast || isAnswered || !(await someComesBack(deadline))) throw refused ?? unavailable(label);
    }
  }

  return {
    call: (method, request, context, entries) =>
      withSpan(method.path.slice(1), { kind: 'client' }, async () => {
        const metadata = [...headersOf(context), ...entries];
        const outgoing = { path: method.path, request: method.requestSerialize(request), metadata, context };
        const isRepeatable = (error: ServiceError) => mayTryAnother(error, method.repeatable);
        return method.responseDeserialize(await onSome(context, isRepeatable, (replica) => send(replica, outgoing)));
      }),
    async *receive(method, request, context, entries) {
      const responses = await withSpan(method.path.slice(1), { kind: 'client' }, () => {
        const metadata = [...headersOf(context), ...entries];
        const outgoing = { path: method.path, request: method.requestSerialize(request), metadata, context };
        const isRepeatable = (error: ServiceError) => mayTryAnother(error, method.repeatable);
        return onSome(context, isRepeatable, (replica) => openResponses(replica, outgoing, streamIdleMs));
      });
      try {
        for (let bytes = responses.first; bytes !== undefined; bytes = await responses.next()) {
          yield method.responseDeserialize(bytes);
        }
      } catch (error) {
        throw faultOf(error as ServiceError, label);
      } finally {
        responses.cancel();
      }
    },
    send: (method, requests, context, entries) =>
      withSpan(method.path.slice(1), { kind: 'client' }, async () => {
        let isTaken = false;
        const source = (async function* () {
          for await (const request of requests) {
            isTaken = true;
            yield method.requestSerialize(request);
          }
        })();
        const outgoing = { path: method.path, metadata: [...headersOf(context), ...entries], context };
        const isRepeatable = (error: ServiceError) => !isTaken && mayTryAnother(error, false);
        let sourceError: { error: unknown } | undefined;
        const attempt = (replica: Replica) =>
          sendRequests(replica, outgoing, source, streamIdleMs, (error) => {
            sourceError = { error };
          });
        try {
          return method.responseDeserialize(await onSome(context, isRepeatable, attempt));
        } catch (error) {
          throw sourceError === undefined ? error : sourceError.error;
        }
      }),
    probe: async (deadline) => {
      const { path, requestSerialize, responseDeserialize } = HealthService.check;
      const request = requestSerialize({ service: '' });
      const question = { path, request, metadata: [], context: { deadline, requestId: '' } };
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

/**
 * A replica that could not be reached was not asked, so another may be. One that went away during the call may have
 * done the work, so only what is repeatable is asked again. A refusal by the service itself carries a status detail and
 * means the same everywhere, except UNAVAILABLE: another replica may be available.
 */
function mayTryAnother(error: ServiceError, repeatable: boolean): boolean {
  if (error.code !== Code.UNAVAILABLE) return false;
  return repeatable || !wasAsked(error);
}

function wasAsked({ details }: ServiceError): boolean {
  return !details.startsWith(unreached) && details !== notBegun;
}

/** The service was asked, and went away without an answer of its own. */
function wasUnderWay(error: ServiceError): boolean {
  return error.code === Code.UNAVAILABLE && wasAsked(error) && !isAnswer(error);
}
