import { BlockList, isIP } from 'node:net';

/**
 * Tells the address a request comes from, for limits and logs.
 * @param peer address of the socket's other side
 * @param forwarded what `X-Forwarded-For` says
 */
export type SourceAddress = (peer: string, forwarded: string | undefined) => string;

/**
 * The socket's peer; behind a trusted proxy the nearest address of `X-Forwarded-For` that is no trusted proxy
 * (open-points 1.9).
 * @param trustedProxies address ranges (`10.0.0.0/8`)
 */
export function sourceAddressBy(trustedProxies: readonly string[]): SourceAddress {
  if (trustedProxies.length === 0) return plain;
  const trusted = new BlockList();
  for (const range of trustedProxies) {
    const [base = '', bits] = range.split('/');
    trusted.addSubnet(base, Number(bits), isIP(base) === 6 ? 'ipv6' : 'ipv4');
  }
  const isTrusted = (address: string) => {
    const version = isIP(address);
    return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
  return (socketPeer, forwarded) => {
    const peer = plain(socketPeer);
    if (!isTrusted(peer)) return peer;
    const hops = (forwarded ?? '').split(',').map((hop) => plain(hop.trim()));
    return hops.findLast((hop) => isIP(hop) !== 0 && !isTrusted(hop)) ?? peer;
  };
}

/** An IPv4 address that came over IPv6, as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
