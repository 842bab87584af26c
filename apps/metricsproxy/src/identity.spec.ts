import { describe, expect, it } from '@jest/globals';
import { identityText, parseIdentity } from './identity.ts';

const clusterUid = '1b671a64-40d5-491e-99b0-da01ff1f3341';

describe('an identity', () => {
  it.each([
    [`42.${clusterUid}`, { ownerId: 42, clusterUid, projectId: '' }],
    [`42.${clusterUid.toUpperCase()}`, { ownerId: 42, clusterUid, projectId: '' }],
    [`42.${clusterUid}.Prod-1`, { ownerId: 42, clusterUid, projectId: 'Prod-1' }],
    [`9007199254740991.${clusterUid}`, { ownerId: 9_007_199_254_740_991, clusterUid, projectId: '' }],
  ])('is read from %s', (text, identity) => {
    expect(parseIdentity(text)).toEqual(identity);
    expect(identityText(identity)).toBe(text.replace(clusterUid.toUpperCase(), clusterUid));
  });

  it.each([
    '', '42', clusterUid, `0.${clusterUid}`, `-1.${clusterUid}`, `042.${clusterUid}`, `x.${clusterUid}`,
    `9007199254740992.${clusterUid}`, `42.${clusterUid}.`, `42.${clusterUid}.-x`, `42.${clusterUid}.a.b`,
    `42.${clusterUid}.a_b`, `42.${clusterUid}.${'a'.repeat(64)}`, `42.${clusterUid.slice(1)}`, `42.${clusterUid}\n`,
    `42.${clusterUid} `, `42..${clusterUid}`, `4٢.${clusterUid}`,
  ])('is not read from %j', (text) => {
    expect(parseIdentity(text)).toBeUndefined();
  });
});
