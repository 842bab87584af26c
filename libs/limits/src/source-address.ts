import { BlockList, isIP } from 'node:net';

/** Returns the address that a request comes from. `peer` is the socket's peer; `forwarded` is `X-Forwarded-For`. */
export type SourceAddress = (peer: string, forwarded: string | undefined) => string;

/**
 * Returns a function that finds the source address of a request (open-points 1.9). The function first takes the address
 * of the socket's peer. As long as the address belongs to a trusted proxy, the function takes the next entry of
 * `X-Forwarded-For`, from the last entry to the first. If there is no next entry, or the entry is not an address, the
 * function returns the address that it has. Entries may have ports.
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
 * Returns the key under which limits count an address. The key of an IPv4 address is the IPv4 address, even if it is
 * written as a mapped (RFC 4291) or translated (RFC 6052) IPv6 address. The key of another IPv6 address is its /64
 * network, because a client usually controls the whole network.
 */
export function sourceOf(address: string): string {
  const known = ipv4Behind(address, [mapped, translated]) ?? address;
  const groups = groupsOf(known);
  return groups === undefined ? known : `${groups.slice(0, 4).map((group) => group.toString(16)).join(':')}::/64`;
}

/** Returns the address in a text such as `192.0.2.1:443` or `[2001:db8::1]:443`. Returns any other text unchanged. */
function withoutPort(hop: string): string {
  const [, inBrackets, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(hop) ?? [];
  return inBrackets ?? dotted ?? hop;
}

/**
 * Returns the IPv4 address in an IPv4-mapped IPv6 address. Returns other addresses unchanged, including translated
 * addresses (`64:ff9b::/96`), because these must not count as private IPv4 addresses (RFC 6052 §3.1).
 */
function plain(address: string): string {
  return ipv4Behind(address, [mapped]) ?? address;
}

/** The six groups of the prefix of mapped addresses, `::ffff:0:0/96` (RFC 4291 §2.5.5.2), in decimal. */
const mapped = '0,0,0,0,0,65535';
/** The six groups of the prefix of translated addresses, `64:ff9b::/96` (RFC 6052 §2.1), in decimal. */
const translated = '100,65435,0,0,0,0';

/**
 * Returns the last 32 bits of an IPv6 address as an IPv4 address. Returns undefined unless the address has one of the
 * prefixes.
 */
function ipv4Behind(address: string, prefixes: readonly string[]): string | undefined {
  const groups = groupsOf(address);
  if (groups === undefined || !prefixes.includes(groups.slice(0, 6).join())) return undefined;
  return groups.slice(6).flatMap((group) => [group >> 8, group & 0xff]).join('.');
}

/** Returns the eight groups of an IPv6 address, or undefined for any other text. */
function groupsOf(address: string): number[] | undefined {
  if (isIP(address) !== 6) return undefined;
  const inHex = address.replace(/%.*$/, '').replace(/[\d.]+\.[\d.]+$/, (dotted) => {
    const [a, b, c, d] = dotted.split('.').map(Number) as [number, number, number, number];
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [front = [], back] = inHex.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const left = back === undefined ? [] : Array<string>(8 - front.length - back.length).fill('0');
  return [...front, ...left, ...(back ?? [])].map((group) => parseInt(group, 16));
}
