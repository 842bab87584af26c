import { describe, expect, it } from '@jest/globals';
import { clusterSetLabel, type LabelSelector, type ManagedCluster, type ManagedClusterSet } from '@platform/kubernetes';
import { clustersOf, isAvailable, isForClients, matches, uidOf } from './selection.ts';

const cluster = (name: string, labels: Record<string, string> = {}): ManagedCluster => ({ metadata: { name, labels } });
const set = (name: string, labels: Record<string, string> = {}): ManagedClusterSet => ({ metadata: { name, labels } });
const inSet = (name: string, setName: string) => cluster(name, { [clusterSetLabel]: setName });

describe('the clusters of a set', () => {
  const clusters = [inSet('a', 'one'), inSet('b', 'two'), cluster('c')];
  const selecting = (labelSelector: LabelSelector): ManagedClusterSet => ({
    metadata: { name: 'any' }, spec: { clusterSelector: { selectorType: 'LabelSelector', labelSelector } },
  });

  it('are those with its label', () => {
    expect(clustersOf(set('one'), clusters).map(({ metadata }) => metadata.name)).toEqual(['a']);
  });

  it('are those that its selector matches, also all', () => {
    expect(clustersOf(selecting({}), clusters)).toHaveLength(3);
    expect(clustersOf(selecting({ matchLabels: { [clusterSetLabel]: 'two' } }), clusters)).toEqual([clusters[1]]);
  });

  it.each<[string, object]>([
    ['without a selector', { selectorType: 'LabelSelector' }],
    ['that selects in a way of a later version', { selectorType: 'Name', labelSelector: {} }],
  ])('are an empty list for a set %s', (_, clusterSelector) => {
    expect(clustersOf({ metadata: { name: 'one' }, spec: { clusterSelector } }, clusters)).toEqual([]);
  });
});

it.each<[LabelSelector, Record<string, string>, boolean]>([
  [{ matchLabels: { a: '1' } }, { a: '1', b: '2' }, true],
  [{ matchLabels: { a: '1', b: '1' } }, { a: '1', b: '2' }, false],
  [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['1', '2'] }] }, { a: '2' }, true],
  [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['1'] }] }, {}, false],
  [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] }, {}, true],
  [{ matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['1'] }] }, { a: '1' }, false],
  [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, { a: '' }, true],
  [{ matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, { a: '' }, false],
  [{ matchExpressions: [{ key: 'toString', operator: 'Exists' }] }, {}, false],
  [{ matchExpressions: [{ key: 'a', operator: 'Like' }] }, { a: '' }, false],
])('%j on %j: %s', (selector, labels, expected) => {
  expect(matches(selector, labels)).toBe(expected);
});

it('is available once it is accepted and has joined', () => {
  const joined = { conditions: [{ type: 'ManagedClusterJoined', status: 'True' }] };
  const of = (hubAcceptsClient: boolean, status: object) => isAvailable({ ...cluster('a'), spec: { hubAcceptsClient }, status });
  expect(of(true, joined)).toBe(true);
  expect(of(false, joined)).toBe(false);
  expect(of(true, { conditions: [{ type: 'ManagedClusterJoined', status: 'False' }] })).toBe(false);
  expect(isAvailable(cluster('a'))).toBe(false);
});

it('has the UID that it claims, if that can be one', () => {
  const claiming = (value: string) => ({ ...cluster('a'), status: { clusterClaims: [{ name: 'id.k8s.io', value }] } });
  expect(uidOf(claiming('1B671A64-40D5-491E-99B0-DA01FF1F3341'))).toBe('1b671a64-40d5-491e-99b0-da01ff1f3341');
  expect(uidOf(claiming("'; drop table cluster"))).toBe('');
  expect(uidOf(cluster('a'))).toBe('');
});

it('is for client organizations with a cluster, unless it is default or says no', () => {
  const clusters = [inSet('a', 'one'), inSet('b', 'default'), inSet('c', 'two')];
  const eligible = (one: ManagedClusterSet) => isForClients(one, clusters, 'platform.dev');
  expect(eligible(set('one'))).toBe(true);
  expect(eligible(set('empty'))).toBe(false);
  expect(eligible(set('default'))).toBe(false);
  expect(eligible(set('two', { 'platform.dev/client-org-eligible': 'false' }))).toBe(false);
  const global = { metadata: { name: 'global' }, spec: { clusterSelector: { selectorType: 'LabelSelector' } } };
  expect(eligible(global)).toBe(false);
});
