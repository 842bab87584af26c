import { describe, expect, it } from '@jest/globals';
import type { EmailsInput } from '@platform/proto/contracts/v1/contract';
import { readProducts } from '../products/products.ts';
import { bindingsFrom, tagsFrom } from './cluster-references.ts';
import { mergeEmails, noEmails } from './emails.ts';
import { contractName, featuresFrom, momentFrom, productsFrom, refuseEarlyEnd, stateOf } from './terms.ts';

const products = readProducts();
const named = (...aliases: string[]) => aliases.map((alias) => products.get(alias)!);
const refusal = (reason: string, path: string) =>
  expect.objectContaining({ reason, violations: [expect.objectContaining({ path })] });

describe('the products of new contracts', () => {
  it('are in the order given', () => {
    expect(productsFrom(products, ['productvault', 'platform']).map(({ alias }) => alias)).toEqual(['productvault', 'platform']);
  });

  it('may be more than one request may name', () => {
    const many = new Map(Array.from({ length: 21 }, (_, index) => [`p${index}`, products.get('platform')!]));
    expect(productsFrom(many, [...many.keys()])).toHaveLength(21);
  });

  it.each<[string[], string, string]>([
    [[], 'EMPTY_LIST', 'products'],
    [['platform', 'platform'], 'INVALID_VALUE', 'products[1]'],
    [['Platform'], 'UNSUPPORTED_PRODUCT', 'products[0]'],
    [['platform', 'constructor'], 'UNSUPPORTED_PRODUCT', 'products[1]'],
  ])('%j are refused: %s at %s', (aliases, reason, path) => {
    expect(() => productsFrom(products, aliases)).toThrow(refusal(reason, path));
  });
});

describe('the features of a contract', () => {
  it.each<[string[] | undefined, string[] | undefined]>([
    [undefined, undefined], [[], undefined], [['scanner', 'platform', 'scanner'], ['platform', 'scanner']],
  ])('%j are %j', (given, features) => {
    expect(featuresFrom(named('platform'), given)).toEqual(features);
  });

  it('are of the plan of every product', () => {
    expect(() => featuresFrom(named('platform', 'productdb'), ['scanner'])).toThrow(refusal('INVALID_VALUE', 'features[0]'));
    expect(() => featuresFrom(named('platform'), ['scanner', 'Scanner'])).toThrow(refusal('INVALID_VALUE', 'features[1]'));
  });
});

describe('the name of a contract', () => {
  it.each([['x', 'x'], [' a b ', 'a b'], ['ü'.repeat(100), 'ü'.repeat(100)], ['💥'.repeat(100), '💥'.repeat(100)]])('%j is %j', (text, name) => {
    expect(contractName(text)).toBe(name);
  });

  it.each(['', ' ', 'x'.repeat(101), 'a\tb', 'a\u007fb', ' x\n'])('cannot be %j', (text) => {
    expect(() => contractName(text)).toThrow(refusal('INVALID_VALUE', 'name'));
  });
});

describe('a moment of a contract', () => {
  it('is in seconds, up to the end of the year 9999', () => {
    expect(momentFrom('start', 0)).toEqual(new Date(0));
    expect(momentFrom('start', 253_402_300_799).toISOString()).toBe('9999-12-31T23:59:59.000Z');
    for (const seconds of [-1, 253_402_300_800]) expect(() => momentFrom('start', seconds)).toThrow(refusal('INVALID_VALUE', 'start'));
  });

  it('of the end is after that of the start', () => {
    expect(() => refuseEarlyEnd(new Date(1_000), new Date(2_000))).not.toThrow();
    for (const end of [1_000, 0]) {
      expect(() => refuseEarlyEnd(new Date(1_000), new Date(end))).toThrow(refusal('INVALID_VALUE', 'end'));
    }
  });
});

describe('the state of a contract (open-points 5.2)', () => {
  const at = (seconds: number) => new Date(seconds * 1000);

  it.each([
    [99, null, 'not started'],
    [100, null, 'active'],
    [199, null, 'active'],
    [200, null, 'expired'],
    [99, 50, 'revoked'],
    [150, 120, 'revoked'],
    [300, 120, 'revoked'],
  ])('at %i, revoked at %s: %s', (now, revoked, state) => {
    const term = { startsAt: at(100), endsAt: at(200), revokedAt: revoked === null ? null : at(revoked) };
    expect(stateOf(term, at(now))).toBe(state);
  });
});

describe('the addresses of a contract', () => {
  const merge = (lists: Readonly<Record<string, string[]>>, before = noEmails) => mergeEmails(
    before, Object.fromEntries(Object.entries(lists).map(([list, items]) => [list, { items }])) as unknown as EmailsInput,
  );

  it('are merged list by list, each address once', () => {
    const before = merge({ financeTeam: ['a@example.org'], licenseUsers: ['b@example.org'] });
    expect(merge({ financeTeam: ['c@example.org', 'd@example.org', 'c@example.org'], contactPerson: [] }, before)).toEqual({
      ...noEmails, financeTeam: ['c@example.org', 'd@example.org'], licenseUsers: ['b@example.org'],
    });
    expect(mergeEmails(before, undefined)).toBe(before);
  });

  it('are refused together, with every invalid one', () => {
    expect(() => merge({ financeTeam: ['a@example.org', 'a'], usageAlertAdmin: [''] })).toThrow(expect.objectContaining({
      reason: 'INVALID_EMAIL',
      violations: [
        expect.objectContaining({ path: 'emails.financeTeam[1]' }), expect.objectContaining({ path: 'emails.usageAlertAdmin[0]' }),
      ],
    }));
  });

  it('are at most 50 a list', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `u${index}@example.org`);
    expect(merge({ financeTeam: [...many(25), ...many(25)] }).financeTeam).toHaveLength(25);
    expect(() => merge({ financeTeam: Array<string>(51).fill('u@example.org') }))
      .toThrow(refusal('TOO_MANY_ITEMS', 'emails.financeTeam'));
    expect(() => merge({ financeTeam: many(51) })).toThrow(refusal('TOO_MANY_ITEMS', 'emails.financeTeam'));
  });
});

describe('tags', () => {
  it('are trimmed, each once, in the order given', () => {
    expect(tagsFrom('tags', [' b ', 'a', 'b', 'x'.repeat(63)])).toEqual(['b', 'a', 'x'.repeat(63)]);
  });

  it.each([[['a', ' '], 'tags[1]'], [['x'.repeat(64)], 'tags[0]'], [['a\n'], 'tags[0]']])('%j are refused at %s', (tags, path) => {
    expect(() => tagsFrom('tags', tags)).toThrow(refusal('INVALID_VALUE', path));
  });

  it('are at most 50', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
    expect(tagsFrom('tags', many(50))).toHaveLength(50);
    expect(() => tagsFrom('tags', many(51))).toThrow(refusal('TOO_MANY_ITEMS', 'tags'));
  });
});

describe('clusters to bind', () => {
  const uid = '1B671A64-40D5-491E-99B0-DA01FF1F3341';

  it('have UUIDs in lower case and trimmed names', () => {
    expect(bindingsFrom('', [{ cluster: uid, displayName: ' Main ', tags: [' x '] }, { cluster: uid.replace('1B', '2b'), tags: [] }])).toEqual([
      { clusterUid: uid.toLowerCase(), displayName: 'Main', tags: ['x'] },
      { clusterUid: uid.toLowerCase().replace('1b', '2b'), displayName: '', tags: [] },
    ]);
  });

  it.each([
    [[{ cluster: 'one', tags: [] }], '[0].cluster'],
    [[{ cluster: uid, tags: [] }, { cluster: uid.toLowerCase(), tags: [] }], '[1].cluster'],
    [[{ cluster: uid, displayName: 'x'.repeat(101), tags: [] }], '[0].displayName'],
    [[{ cluster: uid, tags: [''] }], '[0].tags[0]'],
  ])('%j are refused at %s', (references, path) => {
    expect(() => bindingsFrom('', references)).toThrow(refusal('INVALID_VALUE', path));
  });

  it('are at most 1000', () => {
    const many = Array.from({ length: 1_001 }, () => ({ cluster: uid, tags: [] }));
    expect(() => bindingsFrom('clusters', many)).toThrow(refusal('TOO_MANY_ITEMS', 'clusters'));
  });
});
