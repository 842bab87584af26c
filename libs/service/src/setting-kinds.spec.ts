import { describe, expect, it } from '@jest/globals';
import type { Kind } from './setting-kinds.ts';
import {
  address,
  addressList,
  cidr,
  duration,
  flag,
  integer,
  listOf,
  oneOf,
  port,
  secretUrl,
  share,
  storeName,
  text,
  url,
} from './setting-kinds.ts';

const cases: readonly [string, Kind<unknown>, string, unknown][] = [
  ['integer', integer(1, 10), '10', 10],
  ['integer', integer(1, 10), '11', undefined],
  ['integer', integer(1, 10), '1.0', undefined],
  ['integer', integer(1, 10), '0x1', undefined],
  ['integer', integer(-5, 10), '-5', -5],
  ['port', port, '65535', 65_535],
  ['port', port, '65536', undefined],
  ['flag', flag, 'TRUE', true],
  ['flag', flag, '0', false],
  ['flag', flag, 'yes', undefined],
  ['duration', duration(), '500ms', 500],
  ['duration', duration(), '7d', 604_800_000],
  ['duration', duration(), '30', undefined],
  ['duration', duration(10, 20), '21ms', undefined],
  ['share', share, '0.25', 0.25],
  ['share', share, '1.5', undefined],
  ['storeName', storeName, 'a.b-c/d^e_f&g@h i', 'a.b-c/d^e_f&g@h i'],
  ['storeName', storeName, 'p', undefined],
  ['storeName', storeName, 'a:b', undefined],
  ['storeName', storeName, 'x'.repeat(65), undefined],
  ['oneOf', oneOf('a', 'b'), 'b', 'b'],
  ['oneOf', oneOf('a', 'b'), 'B', undefined],
  ['listOf', listOf(text), 'a, b,,c', ['a', 'b', 'c']],
  ['listOf', listOf(integer(1, 2)), '1,3', undefined],
  ['url', url('http', 'https'), 'https://example.com/', 'https://example.com'],
  ['url', url('http'), 'ftp://example.com', undefined],
  ['url', url('http'), 'example.com', undefined],
  ['secretUrl', secretUrl('postgres'), 'mysql://u:p@h/d', undefined],
  ['address', address, '127.0.0.1:80', '127.0.0.1:80'],
  ['address', address, '[::1]:80', '[::1]:80'],
  ['address', address, 'localhost', undefined],
  ['address', address, 'localhost:70000', undefined],
  ['addressList', addressList, 'a:1,b:2', ['a:1', 'b:2']],
  ['cidr', cidr, '10.0.0.0/8', '10.0.0.0/8'],
  ['cidr', cidr, '10.0.0.1', '10.0.0.1/32'],
  ['cidr', cidr, '::1', '::1/128'],
  ['cidr', cidr, '10.0.0.0/33', undefined],
  ['cidr', cidr, '10.0.0.0/8/8', undefined],
];

describe('setting kinds', () => {
  it.each(cases)('%s %#: reads %3$s', (_name, kind, given, expected) => {
    expect(kind.parse(given)).toEqual(expected);
  });
});
