import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Tells the address a request comes from, for limits and logs. */
export type SourceAddress = (request: IncomingMessage) => string;

/**
 * The socket's peer; behind a trusted proxy the nearest address of `X-Forwarded-For` that is no trusted proxy
 * (open-points 1.9).
 * @param trustedProxies address ranges (`10.0.0.0/8`)
 */
export function sourceAddressBy(trustedProxies: readonly string[]): SourceAddress {
  const peerOf = ({ socket }: IncomingMessage) => plain(socket.remoteAddress ?? '');
  if (trustedProxies.length === 0) return peerOf;
  const trusted = new BlockList();
  for (const range of trustedProxies) {
    const [base = '', bits] = range.split('/');
    trusted.addSubnet(base, Number(bits), isIP(base) === 6 ? 'ipv6' : 'ipv4');
  }
  const isTrusted = (address: string) => {
    const version = isIP(address);
    return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
  return (request) => {
    const peer = peerOf(request);
    if (!isTrusted(peer)) return peer;
    const forwarded = request.headers['x-forwarded-for'];
    const hops = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? ''))
      .split(',')
      .map((hop) => plain(hop.trim()));
    return hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop)) ?? peer;
  };
}

/** An IPv4 address that came over IPv6, as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
