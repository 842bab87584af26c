import { describe, expect, test } from '@jest/globals';
import { sourceAddressBy, sourceOf } from './source-address.ts';

/** The rules of open-points 1.9. */
describe('the source address', () => {
  test.each<[string, string, string | undefined, string]>([
    ['is the peer', '192.0.2.1', undefined, '192.0.2.1'],
    ['is the peer, not what an untrusted one claims', '192.0.2.1', '198.51.100.1', '192.0.2.1'],
    ['is what a trusted proxy saw', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['is the nearest that is no trusted proxy', '10.1.2.3', '203.0.113.9, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['is the proxy when it saw nobody', '10.1.2.3', undefined, '10.1.2.3'],
    ['is the proxy when it saw nonsense', '10.1.2.3', 'unknown, "x"', '10.1.2.3'],
    ['is no address that stands before nonsense', '10.1.2.3', '198.51.100.1, unknown', '10.1.2.3'],
    ['is the nearest proxy of several when it saw nonsense', '10.1.2.3', '198.51.100.1, unknown, 10.9.9.9', '10.9.9.9'],
    ['comes without its port', '10.1.2.3', '203.0.113.9, 198.51.100.1:443', '198.51.100.1'],
    ['comes without its port as IPv6', '10.1.2.3', '203.0.113.9, [2001:DB9::1]:443', '2001:DB9::1'],
    ['is IPv4 also over IPv6', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['is IPv4 also over IPv6, in capitals', '::FFFF:192.0.2.1', undefined, '192.0.2.1'],
    ['is IPv4 also over IPv6, in hex', '::ffff:c000:201', undefined, '192.0.2.1'],
    ['is IPv4 also over IPv6, in full', '0:0:0:0:0:ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['is IPv4 over IPv6 behind a proxy that came so, too', '::FFFF:a01:203', '0::FFFF:c633:6401', '198.51.100.1'],
    ['is no private address that somebody translates', '64:ff9b::10.1.2.3', '198.51.100.1', '64:ff9b::10.1.2.3'],
    ['trusts IPv6 ranges', '2001:db8::1', '::ffff:198.51.100.1', '198.51.100.1'],
  ])('%s', (_, peer, forwarded, expected) => {
    expect(sourceAddressBy(['10.0.0.0/8', '2001:db8::/32'])(peer, forwarded)).toBe(expected);
  });
});

/** The rules of open-points 1.9. */
describe('what limits count as one source', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::7', '2001:db8:0:0::/64'],
    ['1::2:3:4:5:6', '1:0:0:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['0:0:0:0:0:ffff:c000:0201', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
    ['64:FF9B::c000:201', '192.0.2.1'],
    ['64:ff9b:1::192.0.2.1', '64:ff9b:1:0::/64'],
    ['::ffff:0:192.0.2.1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
  ])('%j is of %s', (address, source) => {
    expect(sourceOf(address)).toBe(source);
  });
});
