import { expect, it } from '@jest/globals';
import { Fault } from '@platform/faults';
import { readImage } from '@platform/proto/image';
import { readSurface } from '@platform/surface';
import { entityTagOf, observedFields, refuseOtherRevision } from './revision.ts';

const observed = { seen: true, parts: { seen: true } } as const;
const thing = (name: string, seen: string, partSeen = seen, part = 'p') => ({ name, seen, parts: [{ part, seen: partSeen }] });
const passes = (ifMatch: string, object: object): boolean => {
  try {
    refuseOtherRevision(ifMatch, object, observed);
    return true;
  } catch (error) {
    if (error instanceof Fault && error.reason === 'PRECONDITION_FAILED') return false;
    throw error;
  }
};

it('an entity tag differs where anything that is shown differs', () => {
  const shown = [thing('a', 'x'), thing('b', 'x'), thing('a', 'y'), thing('a', 'x', 'y'), thing('a', 'x', 'x', 'q')];
  expect(new Set(shown.map((one) => entityTagOf(one, observed))).size).toBe(shown.length);
  expect(entityTagOf(thing('a', 'x'), observed)).toBe(entityTagOf(thing('a', 'x'), observed));
});

it('what was observed meanwhile refuses no change, and what was changed does', () => {
  const tag = entityTagOf(thing('a', 'x'), observed);
  expect([thing('a', 'x'), thing('a', 'y'), thing('a', 'x', 'y')].map((now) => passes(tag, now))).toEqual([true, true, true]);
  expect([thing('b', 'x'), thing('a', 'x', 'x', 'q')].map((now) => passes(tag, now))).toEqual([false, false]);
});

it.each([
  ['any', '*', true], ['one of several', (tag: string) => `"other", ${tag}`, true],
  ['a weak one', (tag: string) => `W/${tag}`, false], ['another one', '"other"', false], ['none', '', false],
])('of tags in If-Match: %s', (_what, ifMatch, expected) => {
  const now = thing('a', 'x');
  expect(passes(typeof ifMatch === 'string' ? ifMatch : ifMatch(entityTagOf(now, observed)), now)).toBe(expected);
});

it('a contract observes its owner\'s name, and what else is known of its clusters', async () => {
  const { registry } = readSurface(await readImage());
  expect(observedFields(registry.getMessage('controlplane.contracts.v1.Contract')!)).toEqual({
    orgOrUser: true,
    clusters: { clusterStatus: { isImported: true, name: true }, duplicateContractFeatures: true, error: true },
    associatedCluster: { clusterStatus: { isImported: true, name: true }, duplicateContractFeatures: true, error: true },
  });
});
