import http from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ConfigError } from '@platform/service';
import { Unreachable } from './errors.ts';

/** The egress proxy, an HTTP proxy (ADR 0277). */
export interface Proxy {
  /** Whether connections to a host go through the proxy. The host is a name, or an address without brackets. */
  leads(host: string): boolean;
  /** Opens a connection to a checked IP address through the proxy (CONNECT). @throws Unreachable */
  open(address: string, port: number): Promise<Socket>;
}

const openMs = 10_000;
/** Names and addresses of this machine. On the proxy, they would mean the machine of the proxy. */
const ownMachine = ['localhost', '127.0.0.0/8', '::1'];

/**
 * Reads the address of the proxy from `HTTPS_PROXY`, or from `HTTP_PROXY` if `HTTPS_PROXY` is not set. Returns
 * undefined if neither is set. `NO_PROXY` lists the hosts that are reached without the proxy: names, addresses and
 * networks, separated by commas. A name includes its subdomains. `*` means all hosts.
 * @throws ConfigError
 */
export function readProxy(environment: Readonly<Record<string, string | undefined>>): Proxy | undefined {
  const { HTTPS_PROXY, HTTP_PROXY, NO_PROXY = '' } = environment;
  const text = HTTPS_PROXY || HTTP_PROXY;
  if (text === undefined || text === '') return undefined;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    // The address may contain a password, so it is not shown.
    const where = HTTPS_PROXY ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    throw new ConfigError([{ key: '', where, found: 'has an invalid value', accepts: 'an http or https address' }]);
  }
  const entries = [...NO_PROXY.split(','), ...ownMachine].map((entry) => entry.trim().toLowerCase());
  const direct = entries.filter((entry) => entry !== '').map(matcherOf);
  return {
    leads: (host) => !direct.some((fits) => fits(host.toLowerCase().replace(/\.$/, ''))),
    open: (address, port) => openTunnel(url, isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`),
  };
}

function matcherOf(entry: string): (host: string) => boolean {
  if (entry === '*') return () => true;
  const network = entry.includes('/') ? entry : isIP(entry) === 0 ? undefined : `${entry}/${isIP(entry) === 6 ? 128 : 32}`;
  if (network !== undefined && ipaddr.isValidCIDR(network)) {
    const [base, bits] = ipaddr.parseCIDR(network);
    return (host) => {
      if (isIP(host) === 0) return false;
      const address = ipaddr.process(host);
      return address.kind() === base.kind() && address.match(base as never, bits);
    };
  }
  const name = entry.replace(/^\*?\.?/, '');
  return (host) => host === name || host.endsWith(`.${name}`);
}

function openTunnel(url: URL, target: string): Promise<Socket> {
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const signed = { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  const request = (url.protocol === 'https:' ? https : http).request({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT', path: target, agent: false,
    headers: { host: target, ...(credentials === ':' ? {} : signed) },
    signal: AbortSignal.timeout(openMs),
  });
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown): void =>
      reject(new Unreachable('cannot connect through the egress proxy', { cause }));
    request.once('error', failed);
    const refused = (stream: { destroy(): unknown }, statusCode: number | undefined): void => {
      stream.destroy();
      failed(new Error(`the proxy answered CONNECT with status ${statusCode}`));
    };
    request.once('connect', ({ statusCode }, socket: Socket, first) => {
      if (statusCode !== 200) return refused(socket, statusCode);
      if (first.length > 0) socket.unshift(first);
      resolve(socket);
    });
    request.once('response', (response) => refused(response, response.statusCode));
    request.end();
  });
}
