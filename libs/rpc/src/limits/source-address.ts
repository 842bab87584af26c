import { BlockList, isIP } from 'node:net';

/**
 * Tells the address a request comes from, for limits and logs.
 * @param peer address of the socket's other side
 * @param forwarded what `X-Forwarded-For` says
 */
export type SourceAddress = (peer: string, forwarded: string | undefined) => string;

/**
 * The socket's peer; behind a trusted proxy the nearest address of `X-Forwarded-For` that is no trusted proxy
 * (open-points 1.9), with or without a port. Left of something else than an address anybody may have written anything.
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
  return (peer, forwarded = '') => {
    const hops = forwarded.split(',');
    let nearest = plain(peer);
    while (isTrusted(nearest)) {
      const hop = plain(withoutPort(hops.pop()?.trim() ?? ''));
      if (isIP(hop) === 0) break;
      nearest = hop;
    }
    return nearest;
  };
}

/**
 * What limits count as one source: an IPv4 address, or the 64 bits of an IPv6 one that name its network, because who
 * has one such address has them all.
 */
export function sourceOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [front = '', back] = address.replace(/%.*$/, '').split('::');
  const groups = front === '' ? [] : front.split(':');
  if (back !== undefined) {
    const last = back === '' ? [] : back.replace(/[\d.]+\.[\d.]+$/, '0:0').split(':');
    groups.push(...Array<string>(8 - groups.length - last.length).fill('0'), ...last);
  }
  return `${groups.slice(0, 4).map((group) => parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** `192.0.2.1:443` and `[2001:db8::1]:443` without the port. */
function withoutPort(hop: string): string {
  const [, inBrackets, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(hop) ?? [];
  return inBrackets ?? dotted ?? hop;
}

/** An IPv4 address that came over IPv6, as IPv4. */
function plain(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}
