import http, {
  type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse,
} from 'node:http';
import https from 'node:https';
import type { PeerCertificate } from 'node:tls';
import { Fault, unavailable } from '@platform/faults';
import {
  DeadlineExceeded, deadlineIn, parseAddress, remaining, type Secret, serviceCredentialHeader, whenOver,
} from '@platform/service';
import { identityOf, type WatchedTls } from '@platform/tls';
import { type Answer, streamedBody } from './answer.ts';
import { CallerGone, whenGone } from './caller-gone.ts';
import { askForBody, hasBody } from './read-body.ts';

/** Forwards a request to another service of the platform, and returns the service's answer. Bodies are streamed. */
export type PassOn = (request: IncomingMessage, response: ServerResponse, about: PassedOn) => Promise<Answer>;

interface PassedOn {
  readonly requestId: string;
  readonly address: string;
  /** The value of the session cookie; undefined if there is none, or if it must be ignored (open-points 18.3). */
  readonly session?: string | undefined;
}

interface PassOnOptions {
  /** Name of the service that receives the requests. With TLS, the service's certificate must have this name. */
  readonly name: string;
  /** `host:port` of each replica. */
  readonly addresses: readonly string[];
  /** The certificates for connections between services; plain HTTP if undefined. */
  readonly tls?: WatchedTls | undefined;
  /** Time limit for a request and its answer, including all attempts, in milliseconds. */
  readonly withinMs: number;
  /** Sent with each request, so that the service trusts `X-Forwarded-For` ({@link isPassedOnTo}). */
  readonly credential: Secret;
}

/** Headers that are not copied. They belong to one connection (RFC 9110 §7.6.1), or this server handles them itself. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer',
  'transfer-encoding', 'upgrade', 'expect', 'content-length',
]);

const sessionHeader = 'platform-session';

/**
 * Headers of a request that are not copied. The cookie is one of them, because `sessionHeader` carries the session.
 */
const notOnward: ReadonlySet<string> = new Set([
  ...hopByHop, 'x-forwarded-for', 'x-request-id', serviceCredentialHeader, sessionHeader, 'cookie',
]);
const notBack: ReadonlySet<string> = new Set([...hopByHop, 'date', 'x-request-id']);

/**
 * Creates a function that forwards requests to the replicas in turn. If a replica fails before it answers, the function
 * may try the next replica. It repeats a request with a body only if no part of the body was sent. It repeats a request
 * without a body only if the method is GET or HEAD.
 */
export function createPassOn({ name, addresses, tls, withinMs, credential }: PassOnOptions): PassOn {
  const replicas = addresses.map(parseAddress);
  const kept = { keepAlive: true, timeout: 4_000, scheduling: 'lifo' } as const;
  const agent = tls === undefined ? new http.Agent(kept) : new https.Agent(kept);
  let turn = 0;

  function open(request: IncomingMessage, replica: (typeof replicas)[number], headers: string[]) {
    const { host, port } = replica;
    const options = { agent, host, port, method: request.method, path: request.url, headers, setHost: false };
    if (tls === undefined) return http.request(options);
    const { ca, certificate: cert, key } = tls.current;
    const checkServerIdentity = (_host: string, { subjectaltname }: PeerCertificate) =>
      identityOf(subjectaltname)?.name === name ? undefined : new Error(`the certificate is not valid for ${name}`);
    return https.request({ ...options, ...(ca === undefined ? {} : { ca }), cert, key, checkServerIdentity });
  }

  return async (request, response, about) => {
    const gone = whenGone(response);
    const headers = headersOnward(request, about);
    headers.push(serviceCredentialHeader, credential.reveal());
    const deadline = deadlineIn(withinMs, gone);
    for (let attempt = 1; ; attempt += 1) {
      const replica = replicas[(turn += 1) % replicas.length]!;
      const onward = open(request, replica, headers);
      // The stream to destroy at the deadline: the request, or the answer as soon as there is one. If the request were
      // destroyed after the answer has begun, the answer would end without an error.
      let current: ClientRequest | IncomingMessage = onward;
      onward.once('close', whenOver(deadline, () => void current.destroy(new DeadlineExceeded(name))));
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        onward.once('response', resolve);
        onward.on('error', reject);
      });
      if (hasBody(request)) {
        // The body can be sent only once, so wait until the replica is connected.
        onward.once('socket', (socket) => {
          if (!socket.connecting) request.pipe(onward);
          else socket.once(tls === undefined ? 'connect' : 'secureConnect', () => request.pipe(onward));
        });
        askForBody(request, response);
      } else {
        onward.end();
      }
      try {
        current = await answered;
        return answerOf(current);
      } catch (error) {
        if (gone.aborted) throw new CallerGone();
        if (remaining(deadline) === 0) throw new Fault('DEADLINE_EXCEEDED', `${name} did not answer in time`);
        const isRepeatable = request.method === 'GET' || request.method === 'HEAD';
        const wasSent = request.readableFlowing !== null || (!hasBody(request) && !isRepeatable);
        if (wasSent || attempt > replicas.length) throw unavailable(name, error);
      }
    }
  };
}

/**
 * Returns a function that checks whether another server of the platform sent the request. Only then is
 * `X-Forwarded-For` trustworthy.
 * @param guard the guard of `libs/rpc`
 */
export function isPassedOnTo(
  guard: { isService(shown: { serviceCredential: string | undefined; certificate: undefined }): boolean },
): (headers: IncomingHttpHeaders) => boolean {
  return ({ [serviceCredentialHeader]: credential }) =>
    guard.isService({ serviceCredential: credential?.toString(), certificate: undefined });
}

/**
 * Returns the session that {@link PassOn} forwarded, if any. Clients can forge the session header, so check
 * {@link isPassedOnTo} first.
 */
export function sessionPassedOn({ [sessionHeader]: session }: IncomingHttpHeaders): string | undefined {
  return session?.toString();
}

function headersOnward(request: IncomingMessage, { requestId, address, session }: PassedOn): string[] {
  const headers: string[] = [];
  for (const [name, value] of passedHeaders(request, notOnward)) headers.push(name, value);
  // Send the header that tells where the body ends, even if the header Connection lists it. Otherwise, the service
  // would read the body as the next request.
  headers.push(...framingOf(request));
  headers.push('X-Forwarded-For', address, 'X-Request-Id', requestId);
  if (session !== undefined) headers.push(sessionHeader, session);
  return headers;
}

function framingOf({ headers }: IncomingMessage): [name: string, value: string] | [] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked'];
  const length = headers['content-length'];
  return length === undefined ? [] : ['Content-Length', length];
}

/** Returns the headers of a message, except the headers in `left` and those that the header Connection lists. */
function passedHeaders({ rawHeaders, headers }: IncomingMessage, left: ReadonlySet<string>): [string, string][] {
  const named = headers.connection?.split(',').map((name) => name.trim().toLowerCase()) ?? [];
  const passed: [string, string][] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (!left.has(name) && !named.includes(name)) passed.push([rawHeaders[index]!, rawHeaders[index + 1]!]);
  }
  return passed;
}

function answerOf(answer: IncomingMessage): Answer {
  const { 'content-length': length } = answer.headers;
  const headers = passedHeaders(answer, notBack);
  if (length !== undefined) headers.unshift(['Content-Length', length]);
  return { status: answer.statusCode!, headers, body: streamedBody(answer) };
}
