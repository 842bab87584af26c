import { describe, expect, it } from '@jest/globals';
import { statusOf, statusOfCluster } from './status.ts';
import type { ClientState } from './store.ts';
import type { ClusterState } from './cluster-store.ts';

const client = (state: ClientState, ...clusters: readonly (ClusterState | 'removed before')[]) => ({
  state,
  clusters: clusters.map((one, index) => ({
    name: `spoke-${index}`, state: one === 'removed before' ? 'deleted' as const : one, counts: one !== 'removed before',
  })),
});

describe('the status of a client organization', () => {
  it.each([
    ['NotFound', undefined],
    ['NotFound', client('creating', 'active')],
    ['Active', client('active')],
    ['Active', client('active', 'active', 'deleting', 'deleted')],
    ['Deleting', client('closing', 'active')],
    ['Deleting', client('deleting', 'deleting', 'deleting')],
    ['Deleting', client('deleting', 'deleting', 'removed before')],
    ['Partially Deleted', client('deleting', 'deleting', 'deleted')],
    // The account still exists.
    ['Deleting', client('deleting', 'deleted', 'deleted')],
    ['Deleted', client('deleted', 'deleted')],
    ['Deleted', client('deleted')],
  ] as const)('is %s', (status, states) => {
    expect(statusOf(states)).toBe(status);
  });
});

it('a cluster of a client organization has a status of its own', () => {
  const states = client('active', 'active', 'deleting', 'deleted');
  expect(['spoke-0', 'spoke-1', 'spoke-2', 'spoke-3'].map((name) => statusOfCluster(states, name)))
    .toEqual(['Active', 'Deleting', 'Deleted', 'NotFound']);
  expect(statusOfCluster(undefined, 'spoke-0')).toBe('NotFound');
});
