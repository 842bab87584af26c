import { lookup as lookupName } from 'node:dns/promises';
import http, {
  type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders,
} from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type Deadline, DeadlineExceeded, refuseOver, whenOver, within } from '@platform/service';
import { type AddressRules, compileAddressRules } from './address-rules.ts';
import { ownProxy } from './config.ts';
import { AddressRefused, Unreachable } from './errors.ts';
import type { Proxy } from './proxy.ts';
import { isOurs } from './read-bounded.ts';
import { agentsBy, type OpenTunnel } from './through-tunnel.ts';

export interface OutboundOptions extends AddressRules {
  /** Resolves a name to addresses. Default: the system's resolver. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  /**
   * Whether idle connections stay open for a few seconds, for further requests. The addresses of a name are checked
   * only when a connection is opened. Later changes of these addresses do not affect the connection. Default: false.
   */
  readonly keepAlive?: boolean;
  /** The egress proxy. Default: the proxy from the environment variables. */
  readonly proxy?: Proxy | undefined;
}

/** TLS settings for a server. Requests share a connection only if all settings are equal. */
export interface OutboundTls {
  /** Trusted authorities (PEM). Default: the authorities that Node trusts. */
  readonly ca?: string;
  /** The client certificate and its key (PEM). */
  readonly cert?: string;
  readonly key?: string;
  /** The name that the server's certificate must have. Default: the host of the address. */
  readonly serverName?: string;
  readonly insecure?: boolean;
}

export interface OutboundRequest {
  /** Default: GET. */
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Readable | Uint8Array | string;
  readonly tls?: OutboundTls;
  /**
   * Time limit of the whole exchange, including the body of the answer. The exchange also ends when the caller gives up
   * ({@link Deadline}).
   */
  readonly deadline: Deadline;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Must be read or destroyed. Fails with DeadlineExceeded at the deadline. */
  readonly body: Readable;
}

/** HTTP client for addresses that customers enter. It does not follow redirects, but returns them as answers. */
export interface Outbound {
  /** Parses and checks the address of a server, but does not resolve its host name. @throws AddressRefused */
  parse(address: string): URL;
  /**
   * Like {@link parse}, but also resolves the host name and checks its addresses. A name that does not resolve is
   * accepted.
   * @throws AddressRefused, DeadlineExceeded
   */
  check(address: string, deadline: Deadline): Promise<URL>;
  /**
   * Sends a request and returns the answer after its headers have arrived. Refuses a server if one of its addresses is
   * not permitted.
   * @throws AddressRefused, Unreachable, DeadlineExceeded
   */
  send(address: string | URL, request: OutboundRequest): Promise<OutboundAnswer>;
  /**
   * Resolves a name and checks its addresses. Another client can take this function as its option `lookup`. Node does
   * not call it for an IP address, so check each address with {@link parse} first. Fails with AddressRefused,
   * Unreachable, or an error of the resolver.
   */
  readonly lookup: LookupFunction;
  /**
   * Returns a function that opens connections to the host through the egress proxy, for use by another client. Returns
   * undefined if the host is reached without a proxy. The function resolves a name and checks its addresses, but does
   * not check an IP address.
   * @param host a name, or an IP address without brackets
   */
  tunnel(host: string): ((port: number) => Promise<Socket>) | undefined;
}

/**
 * Creates a client that enforces rules about addresses (open-points 9).
 * @throws RangeError for an invalid network, ConfigError for an invalid proxy in the environment
 */
export function createOutbound(options: OutboundOptions = {}): Outbound {
  const { resolve = resolveBySystem, keepAlive = false, proxy = ownProxy(), ...rules } = options;
  const judge = compileAddressRules(rules);
  // Idle connections are kept open for at most four seconds.
  const kept = { keepAlive: true, timeout: 4_000, scheduling: 'lifo' } as const;
  const open: OpenTunnel = (host, port) => tunnel(host)!(port);
  const agents = { direct: keepAlive ? agentsBy(kept) : undefined, proxied: agentsBy(keepAlive ? kept : {}, open) };

  function tunnel(host: string): ((port: number) => Promise<Socket>) | undefined {
    if (proxy?.leads(host) !== true) return undefined;
    return async (port) => {
      const [address] = isIP(host) === 0 ? await resolveJudged(host) : [host];
      if (address === undefined) throw new Unreachable(`${host} has no address`);
      return proxy.open(address, port);
    };
  }

  function parse(address: string | URL): URL {
    const url = typeof address === 'string' ? URL.parse(address) : address;
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

  /** Refuses a name if one of its addresses is refused. The message hides the address, which may be confidential. */
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
    tunnel,
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
    send: async (address, { method = 'GET', headers = {}, body, tls: trust, deadline }) => {
      const url = parse(address);
      refuseOver(deadline, url.host);
      const secure = url.protocol === 'https:';
      const host = hostOf(url);
      const isProxied = proxy?.leads(host) === true;
      const agent = agents[isProxied ? 'proxied' : 'direct']?.[secure ? 'https:' : 'http:'] ?? false;
      const path = `${url.pathname}${url.search}`;
      const sent = { host, port: url.port, path, method, headers, agent, lookup, ...(trust && nodeTls(trust)) };
      const request = (secure ? https : http).request(sent);
      const alsoEnd = endAtDeadline(request, deadline, url.host);
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        let hasAnswered = false;
        request.once('response', (answer) => {
          hasAnswered = true;
          resolve(answer);
        });
        request.on('error', reject);
        // After an answer 101 (switching protocols), Node closes the connection without the event `response`.
        request.once('close', () => {
          if (!hasAnswered) reject(new Error('the connection was closed without an answer'));
        });
      });
      if (body instanceof Readable) pass(body, request);
      else request.end(body);
      try {
        const answer = await answered;
        alsoEnd(answer);
        return { status: answer.statusCode!, headers: answer.headers, body: answer };
      } catch (error) {
        if (isOurs(error)) throw error;
        throw new Unreachable(`${url.host} does not answer`, { cause: error });
      }
    },
  };
}

/**
 * Sends a body. If the request ends early, the rest of the body is read and discarded. The body is not destroyed,
 * because that could close the connection of its sender.
 */
function pass(body: Readable, request: ClientRequest): void {
  body.pipe(request);
  body.once('error', (error) => request.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) request.destroy();
  });
  request.once('close', () => void body.unpipe(request).resume());
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

/**
 * Destroys the request when the deadline passes or the caller gives up. Returns a function to call when the answer
 * arrives. After that call, the answer is destroyed in place of the request.
 */
function endAtDeadline(request: ClientRequest, deadline: Deadline, host: string) {
  let open: ClientRequest | IncomingMessage = request;
  request.once('close', whenOver(deadline, () => void open.destroy(new DeadlineExceeded(host))));
  return (answer: IncomingMessage): void => {
    open = answer;
  };
}

const loopback = '127.0.0.1';

/** Returns whether a name means this machine (RFC 6761 §6.3). */
function isLocalhost(name: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(name);
}

function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

async function resolveBySystem(name: string): Promise<readonly string[]> {
  return (await lookupName(name, { all: true })).map(({ address }) => address);
}
