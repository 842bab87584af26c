import { lookup as lookupName } from 'node:dns/promises';
import http, {
  type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders,
} from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { type Deadline, DeadlineExceeded, whenOver, within } from '@platform/service';
import { type AddressRules, compileAddressRules } from './address-rules.ts';
import { AddressRefused, AnswerTooLarge, Unreachable } from './errors.ts';

export interface OutboundOptions extends AddressRules {
  /** Resolves a name to addresses. Default: the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /**
   * Keep connections for further requests, for a few seconds. A connection is judged when it is made: what a name
   * resolves to later does not matter to it. Default: each request has a connection of its own.
   */
  readonly keepAlive?: boolean;
}

/** How to speak TLS with a server. Requests share a connection only where all of it is the same. */
export interface OutboundTls {
  /** Authorities (PEM); the system's when left out. */
  readonly ca?: string;
  /** The certificate to show, and its key (PEM). */
  readonly cert?: string;
  readonly key?: string;
  /** The name that the server's certificate must have; the host of the address when left out. */
  readonly serverName?: string;
  /** Accept any certificate. */
  readonly insecure?: boolean;
}

export interface OutboundRequest {
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Readable | Uint8Array | string;
  readonly tls?: OutboundTls;
  /** Bounds the whole exchange, the answer's body included. Aborting it ends the exchange at once. */
  readonly deadline: Deadline;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** To be read or destroyed. Fails with DeadlineExceeded at the deadline. */
  readonly body: Readable;
}

/** HTTP to addresses that customers name. Redirects are never followed: their answer is returned. */
export interface Outbound {
  /**
   * Reads the address of a request to come. A name is not resolved: it is judged at each connection.
   * @throws AddressRefused
   */
  parse(address: string): URL;
  /**
   * As {@link parse}, and judges what a name resolves to at the moment. A name that does not resolve is accepted.
   * @throws AddressRefused, DeadlineExceeded
   */
  check(address: string, deadline: Deadline): Promise<URL>;
  /**
   * Sends a request and returns the answer once its head is there. The connection goes to an address that was judged,
   * not to the name again.
   * @throws AddressRefused, Unreachable, DeadlineExceeded
   */
  send(address: string | URL, request: OutboundRequest): Promise<OutboundAnswer>;
  /**
   * For another client that makes connections: what a name resolves to, judged. It is not asked about an address in
   * numbers, so that client has to {@link parse} each address as well. Fails with AddressRefused or Unreachable.
   */
  readonly lookup: LookupFunction;
}

/** How long a connection is kept for the next request, in milliseconds. */
const keptMs = 4_000;

/**
 * Makes an HTTP client that keeps to rules about addresses (open-points 9).
 * @throws RangeError for a network that cannot be read
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { resolve = resolveBySystem, keepAlive = false, ...rules } = options;
  const judge = compileAddressRules(rules);
  const kept = { keepAlive: true, timeout: keptMs, scheduling: 'lifo' } as const;
  const agents = keepAlive ? { 'http:': new http.Agent(kept), 'https:': new https.Agent(kept) } : undefined;

  function parse(address: string): URL {
    const url = URL.parse(address);
    if (url === null || url.hostname === '') throw new AddressRefused('it is not an absolute address');
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new AddressRefused('it is neither http nor https');
    if (url.username !== '' || url.password !== '') throw new AddressRefused('it has user information');
    const host = hostOf(url);
    if (isIP(host) !== 0) refuse(host);
    else if (isLocalhost(host)) refuse(loopback);
    return url;
  }

  function refuse(address: string): void {
    const problem = judge(address);
    if (problem !== undefined) throw new AddressRefused(problem);
  }

  /**
   * All addresses of a name, or none of them: a name that leads to a refused one is not to be trusted. Which one that
   * is may be something that only this network knows.
   */
  async function resolveJudged(name: string): Promise<readonly string[]> {
    const addresses = await resolve(name);
    const cause = addresses.map(judge).find((problem) => problem !== undefined);
    if (cause !== undefined) throw new AddressRefused(`${name} resolves to an address that is not permitted`, { cause });
    return addresses;
  }

  const lookup: LookupFunction = (name, options, found) => {
    resolveJudged(name).then((addresses) => {
      const fitting = addresses.map((address) => ({ address, family: isIP(address) }))
        .filter(({ family }) => !options.family || options.family === family);
      const [first] = fitting;
      if (first === undefined) throw new Unreachable(`${name} has no address`);
      if (options.all) found(null, fitting);
      else found(null, first.address, first.family);
    }).catch((error: unknown) => found(error as Error, []));
  };

  return {
    parse,
    lookup,
    check: async (address, deadline) => {
      const url = parse(address);
      const host = hostOf(url);
      if (isIP(host) === 0) {
        await within(deadline, resolveJudged(host), `resolving ${host}`).catch((error: unknown) => {
          if (isOurs(error)) throw error;
        });
      }
      return url;
    },
    send: async (address, { method = 'GET', headers = {}, body, tls, deadline }) => {
      const url = parse(String(address));
      const client = url.protocol === 'https:' ? https : http;
      const agent = agents?.[url.protocol as keyof typeof agents] ?? false;
      const request = client.request(url, { method, headers, agent, lookup, ...(tls && nodeTls(tls)) });
      const ended = endAtDeadline(request, deadline, url.host);
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve);
        request.on('error', reject);
        // All that Node reports of an answer such as 101, which switches to what nobody here speaks.
        request.once('close', () => reject(new Error('the connection was closed without an answer')));
      });
      if (body instanceof Readable) pass(body, request);
      else request.end(body);
      try {
        const answer = await answered;
        ended.with(answer);
        return { status: answer.statusCode!, headers: answer.headers, body: answer };
      } catch (error) {
        if (isOurs(error)) throw error;
        throw new Unreachable(`${url.host} does not answer`, { cause: error });
      }
    },
  };
}

/**
 * Sends a body as it arrives. The body outlives the request: it may be that of a client who is still to get an answer.
 */
function pass(body: Readable, request: ClientRequest): void {
  body.pipe(request);
  body.once('error', (error) => request.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) request.destroy();
  });
  request.once('close', () => {
    body.unpipe(request).resume();
  });
}

function nodeTls({ ca, cert, key, serverName, insecure }: OutboundTls): https.RequestOptions {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(insecure === true ? { rejectUnauthorized: false } : {}),
  };
}

/** Reads a body to its end. @throws AnswerTooLarge, DeadlineExceeded, Unreachable */
export async function readBounded(body: Readable, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > mostBytes) throw new AnswerTooLarge(mostBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AnswerTooLarge || isOurs(error)) throw error;
    throw new Unreachable('the answer was cut off', { cause: error });
  }
  return Buffer.concat(chunks);
}

/** Destroys the request, and later its answer, when the deadline passes or the caller gives up. */
function endAtDeadline(request: ClientRequest, deadline: Deadline, host: string) {
  let open: ClientRequest | IncomingMessage = request;
  request.once('close', whenOver(deadline, () => void open.destroy(new DeadlineExceeded(host))));
  return {
    with: (answer: IncomingMessage): void => {
      open = answer;
    },
  };
}

function isOurs(error: unknown): boolean {
  return error instanceof AddressRefused || error instanceof Unreachable || error instanceof DeadlineExceeded;
}

const loopback = '127.0.0.1';

/** A name of this machine (RFC 6761 §6.3), also where a resolver does not know it; a dot may end it. */
function isLocalhost(name: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(name);
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

async function resolveBySystem(name: string): Promise<readonly string[]> {
  return (await lookupName(name, { all: true })).map(({ address }) => address);
}
