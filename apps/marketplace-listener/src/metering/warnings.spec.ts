import { expect, it } from '@jest/globals';
import { type Setup, warningsOf } from './warnings.ts';

const now = new Date('2026-11-22T10:00:00Z');
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
const complete: Setup = {
  type: 'Hosted', alertEmails: ['ada@example.org'], providerAProductCode: 'code', providerAAllowedCidrs: [],
  rangesFetchedAt: days(-1), providerBSecret: 'secret', providerBClientSecretExpires: days(90), providerCSecret: 'secret',
};

const levels = (given: Partial<Setup>) =>
  Object.entries(warningsOf({ ...complete, ...given }, now)).map(([marketplace, { warnings }]) =>
    `${marketplace}: ${warnings.map(({ level }) => level).join(' ')}`);

// Open-points 8.4, 11.8.
it.each<[string, Partial<Setup>, string[]]>([
  ['A, all set', { type: 'ProviderAMarketplace' }, []],
  ['A without product code', { type: 'ProviderAMarketplace', providerAProductCode: undefined }, ['ProviderA: error']],
  ['A without any list', { type: 'ProviderAMarketplace', rangesFetchedAt: undefined }, ['ProviderA: error']],
  ['A with addresses of its own', {
    type: 'ProviderAMarketplace', rangesFetchedAt: undefined, providerAAllowedCidrs: ['10.0.0.0/8'],
  }, []],
  ['A, list of 7 days ago', { type: 'ProviderAMarketplace', rangesFetchedAt: days(-7) }, []],
  ['A, list older than that', { type: 'ProviderAMarketplace', rangesFetchedAt: days(-7.01) }, ['ProviderA: warning']],
  ['B, all set', { type: 'ProviderBMarketplace' }, []],
  ['B without secret', { type: 'ProviderBMarketplace', providerBSecret: undefined }, ['ProviderB: error']],
  ['B, nothing known of the client secret', {
    type: 'ProviderBMarketplace', providerBClientSecretExpires: undefined,
  }, []],
  ['B, client secret expires soon', {
    type: 'ProviderBMarketplace', providerBClientSecretExpires: days(30),
  }, ['ProviderB: warning']],
  ['B, client secret expires later', { type: 'ProviderBMarketplace', providerBClientSecretExpires: days(30.01) }, []],
  ['B, client secret expired', {
    type: 'ProviderBMarketplace', providerBClientSecretExpires: now,
  }, ['ProviderB: error']],
  ['C without secret', { type: 'ProviderCMarketplace', providerCSecret: undefined }, ['ProviderC: error']],
  ['C without alert addresses', { type: 'ProviderCMarketplace', alertEmails: [] }, ['ProviderC: info']],
  ['all of A, one warning each', {
    type: 'ProviderAMarketplace', alertEmails: [], providerAProductCode: undefined, rangesFetchedAt: undefined,
  }, ['ProviderA: error error info']],
  ['no marketplace of its own', {
    type: 'Hosted', alertEmails: [], providerBSecret: undefined, providerCSecret: undefined,
  }, []],
])('%s', (_, given, expected) => {
  expect(levels(given)).toEqual(expected);
});
