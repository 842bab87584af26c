import { type ServiceError, status as Code } from '@grpc/grpc-js';
import { deadlineExceeded, type Fault, outcomeUnknown, unavailable } from '@platform/faults';
import { HealthCheckResponse_ServingStatus, HealthService } from '@platform/proto/grpc/health/v1/health';
import { type Deadline, remaining, shrink, within, withSpan } from '@platform/service';
import type { OutgoingContext } from '../call-context.ts';
import { faultOf, isAnswer } from '../faults/status.ts';
import { type ConnectionOptions, isConnected, openConnections, unreached } from './connections.ts';
import { keepDrainingCalls } from './draining.ts';
import type { Entries, Told } from './outgoing.ts';
import { headersOf, type Replica } from './replica.ts';
import { openResponses, sendRequests } from './streams.ts';
import { send, sendAlone } from './unary.ts';

export interface UnaryMethod<Request, Response> {
  /** Such as `/controlplane.orgs.v1.OrganizationService/GetOrganization`. */
  path: string;
  requestSerialize: (request: Request) => Buffer;
  responseDeserialize: (bytes: Buffer) => Response;
  /** Whether the call may be sent again after UNAVAILABLE, even if a replica may have received the call. */
  repeatable: boolean;
}

/** The replicas of one service. A failed call throws a Fault. `entries` is additional metadata of the call. */
export interface Replicas extends AsyncDisposable {
  /**
   * Calls a unary method on one of the replicas. If this replica cannot be reached, the call goes to another replica. A
   * repeatable call may also be sent again after UNAVAILABLE. If no replica can be reached, the call waits for one (see
   * `awayMs`). The deadline of the service is a little earlier than `context.deadline`.
   */
  call<Request, Response>(
    method: UnaryMethod<Request, Response>, request: Request, context: OutgoingContext, entries: Entries, told?: Told,
  ): Promise<Response>;
  /**
   * Calls a server-streaming method. Until the first response, replicas are tried as in {@link call}. If the stream is
   * cut later, the iteration throws a Fault. Ending the iteration cancels the call.
   */
  receive<Request, Response>(
    method: UnaryMethod<Request, Response>, request: Request, context: OutgoingContext, entries: Entries,
  ): AsyncGenerator<Response, void, undefined>;
  /**
   * Calls a client-streaming method. Another replica is tried only if no request was taken from `requests`. An error
   * from `requests` cancels the call and is thrown unchanged.
   */
  send<Request, Response>(
    method: UnaryMethod<Request, Response>, requests: Requests<Request>, context: OutgoingContext, entries: Entries,
  ): Promise<Response>;
  /** Asks each replica whether it serves (`grpc.health.v1`). A replica that does not answer counts as not serving. */
  probe(deadline: Deadline): Promise<readonly { readonly address: string; readonly serves: boolean }[]>;
}

export type Requests<Request> = AsyncIterable<Request> | Iterable<Request>;

/**
 * How long calls wait after all replicas became unreachable, in milliseconds. This is longer than the pause between two
 * connection attempts, so that a restarted replica is found.
 */
const awayMs = 1_000;
/**
 * If all replicas are unreachable, a call waits at least this long for a replica, in milliseconds, unless its deadline
 * is earlier. The time suffices for one pause between connection attempts and one quick attempt.
 */
const attemptMs = 500;
/** A call is not sent again after its connection was lost this many times. The call itself may be the cause. */
const mostDied = 2;

export interface CallerOptions extends ConnectionOptions {
  /** How faults name the called service, such as `authz at 10.0.0.1:9000`. Default: the name of the service. */
  readonly label?: string;
  /** How long a stream may wait for one message, in milliseconds; default 30,000. */
  readonly streamIdleMs?: number;
}

/**
 * Returns the replicas of one service. Connections open at the first call.
 * @param name the name of the service in its certificate. Faults contain this name unless `label` is set
 */
export function openReplicas(name: string, addresses: readonly string[], caller: CallerOptions = {}): Replicas {
  if (addresses.length === 0) throw new Error(`no address of ${name} is configured`);
  keepDrainingCalls();
  const { label = name, streamIdleMs } = caller;
  const connections = openConnections(name, addresses, caller);

  /** When a call first found all replicas unreachable (`performance.now()`). Reset once a call reaches a replica. */
  let awaySince: number | undefined;

  /**
   * Waits until a replica is connected. The wait ends {@link awayMs} after all replicas became unreachable, or after
   * {@link attemptMs} if that is later. The deadline may end the wait earlier. Returns whether a replica is connected.
   */
  async function someComesBack(deadline: Deadline): Promise<boolean> {
    const now = performance.now();
    awaySince ??= now;
    const end = Math.min(Math.max(awaySince + awayMs, now + attemptMs), now + remaining(shrink(deadline)));
    for (;;) {
      if (connections.replicas.some(isConnected)) {
        awaySince = undefined;
        return true;
      }
      const left = end - performance.now();
      if (left <= 0) return false;
      await connections.someChange(left);
    }
  }

  /** Waits for a lookup of host names. @throws Fault DEADLINE_EXCEEDED */
  async function known(looked: Promise<void>, deadline: Deadline): Promise<void> {
    await within(shrink(deadline), looked, `the addresses of ${label}`).catch((error: unknown) => {
      throw deadlineExceeded(error);
    });
  }

  /** Tries one replica after the other, until one succeeds or a failure is final. @throws Fault */
  async function onSome<Result>(
    { deadline }: OutgoingContext, isRepeatable: (error: ServiceError) => boolean,
    attempt: (replica: Replica) => Promise<Result>,
  ): Promise<Result> {
    let refused: Fault | undefined;
    let died = 0;
    const looked = connections.refresh();
    if (looked !== undefined) await known(looked, deadline);
    for (let isLast = false; ; isLast = true) {
      let isAnswered = false;
      for (const replica of connections.inOrder()) {
        if (remaining(deadline) === 0) throw refused ?? deadlineExceeded();
        replica.calls += 1;
        try {
          const connecting = connections.connect(replica, deadline);
          if (connecting !== undefined) await connecting;
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
        } finally {
          connections.release(replica);
        }
      }
      if (isLast || isAnswered || !(await someComesBack(deadline))) {
        throw refused ?? unavailable(label, connections.failure);
      }
    }
  }

  return {
    call: (method, request, context, entries, told) => withSpan(method.path.slice(1), { kind: 'client' }, async () => {
      const metadata = [...headersOf(context), ...entries];
      const outgoing = { path: method.path, request: method.requestSerialize(request), metadata, context, told };
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
    send: (method, requests, context, entries) => withSpan(method.path.slice(1), { kind: 'client' }, async () => {
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
      const attempt = (replica: Replica) => sendRequests(replica, outgoing, source, streamIdleMs, (error) => {
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
      const { SERVING } = HealthCheckResponse_ServingStatus;
      const request = requestSerialize({ service: '' });
      const question = { path, request, metadata: [], context: { deadline, requestId: '' } };
      const looked = connections.refresh();
      if (looked !== undefined) await known(looked, deadline).catch(() => undefined);
      const { replicas } = connections;
      if (replicas.length === 0) return addresses.map((address) => ({ address, serves: false }));
      return Promise.all(replicas.map(async (replica) => {
        const answer = sendAlone(replica, question, remaining(deadline)).then(responseDeserialize);
        const serves = await answer.then(({ status }) => status === SERVING, () => false);
        return { address: replica.address, serves };
      }));
    },
    [Symbol.asyncDispose]: async () => connections.close(),
  };
}

/** Message of grpc-js if the server refused a stream without processing it (RFC 9113 §8.7). */
const notBegun = 'Stream refused by server';

/**
 * Whether a failed call may be sent to another replica. After a failure other than UNAVAILABLE, another replica would
 * not help. A call that the first replica may have received must be repeatable.
 */
function mayTryAnother(error: ServiceError, repeatable: boolean): boolean {
  return error.code === Code.UNAVAILABLE && (repeatable || !wasAsked(error));
}

function wasAsked({ details }: ServiceError): boolean {
  return !details.startsWith(unreached) && details !== notBegun;
}

/** Whether the service may have received the call, but gave no answer. */
function wasUnderWay(error: ServiceError): boolean {
  return error.code === Code.UNAVAILABLE && wasAsked(error) && !isAnswer(error);
}
