import ipaddr from 'ipaddr.js';

/** Rules about the addresses to which connections may be opened (open-points 9). */
export interface AddressRules {
  /** Further networks to refuse, such as `192.0.2.0/24`. */
  readonly denied?: readonly string[];
  /** Networks to permit although other rules, including `denied`, refuse them. Metadata addresses stay refused. */
  readonly allowed?: readonly string[];
  /** Whether private networks are permitted: RFC 1918, unique local, carrier-grade NAT. Default: false. */
  readonly privateNetworks?: boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Networks with metadata services of clouds, which return credentials: always refused (open-points 9.1). */
const metadata = [
  '169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32', 'fd00:ec2::/32', 'fd20:ce::254/128',
].map(networkOf);
const privateRanges: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Returns a function that checks an address. The function returns why the address is refused, or undefined if it is
 * permitted. Without rules, only public unicast addresses are permitted. Some IPv6 addresses, such as 6to4 addresses,
 * contain an IPv4 address. The function checks this IPv4 address instead.
 * @throws RangeError for an invalid network
 */
export function compileAddressRules(rules: AddressRules): (address: string) => string | undefined {
  const { denied = [], allowed = [], privateNetworks = false } = rules;
  const [refused, permitted] = [denied.map(networkOf), allowed.map(networkOf)];
  return remembered((text) => {
    if (!ipaddr.isValid(text)) return `${text} is not an IP address`;
    const address = heldAddress(ipaddr.parse(text));
    if (isIn(address, metadata)) return `${text} is a link-local address, or belongs to a cloud metadata service`;
    if (isIn(address, permitted)) return undefined;
    if (isIn(address, refused)) return `${text} is in a network that is refused`;
    const range = address.range();
    if (range === 'unicast' || (privateNetworks && privateRanges.has(range))) return undefined;
    return `${text} is not a public address`;
  });
}

/** Maximum number of addresses whose outcome is remembered. */
const mostRemembered = 1_000;

/** Remembers the outcomes of a check, because most requests go to few addresses. */
function remembered(check: (address: string) => string | undefined): typeof check {
  const outcomes = new Map<string, string | undefined>();
  return (address) => {
    if (outcomes.has(address)) return outcomes.get(address);
    const outcome = check(address);
    if (outcomes.size >= mostRemembered) outcomes.clear();
    outcomes.set(address, outcome);
    return outcome;
  };
}

/** Returns the IPv4 address that an IPv6 address leads to, or the address itself. */
function heldAddress(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address;
  const { parts } = address;
  const [first, second, third, , fifth, sixth] = parts as [number, number, number, number, number, number];
  const range: string = address.range();
  if (range === '6to4') return ipv4Of(second, third);
  const isTranslated = range === 'ipv4Mapped' || range === 'rfc6145' || (range === 'rfc6052' && third === 0);
  const isCompatible = range === 'unicast' && parts.slice(0, 6).every((part) => part === 0);
  // ISATAP (RFC 5214): the interface identifier starts with 0000:5efe or 0200:5efe.
  const isTunnelled = range === 'unicast' && first !== 0 && (fifth === 0 || fifth === 0x200) && sixth === 0x5efe;
  return isTranslated || isCompatible || isTunnelled ? ipv4Of(parts[6]!, parts[7]!) : address;
}

function ipv4Of(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}

function networkOf(text: string): Network {
  try {
    return ipaddr.parseCIDR(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`);
  } catch (error) {
    throw new RangeError(`${text} is not a network such as 10.0.0.0/8`, { cause: error });
  }
}

function isIn(address: Address, networks: readonly Network[]): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base as never, bits));
}
