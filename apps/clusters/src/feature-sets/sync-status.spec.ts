import { describe, expect, it } from '@jest/globals';
import type { ManagedClusterProfileBinding } from '@platform/kubernetes';
import { catalogueOf } from './rules.ts';
import { type BoundCluster, canUpdate, statusOfAll, statusOfFeature, versionAt, versionOf } from './sync-status.ts';

const chart = { name: 'chart', version: 'v2', sourceRef: { name: 'charts' } };
const entry = { featureSet: 'core', chart };

type Own = Partial<ManagedClusterProfileBinding['spec']>;

function cluster(name: string, own: Own = {}, status: ManagedClusterProfileBinding['status'] = current): BoundCluster {
  const spec = { profileRef: { name: 'one' }, clusterMetadata: { uid: '', name, clusterManagers: [] }, ...own };
  return { name, binding: { metadata: { name, namespace: name, generation: 3 }, spec, status } };
}
const current = { phase: 'Current', observedGeneration: 3 };

describe('the sync status of a feature', () => {
  it('counts clusters whose binding is current and leaves the feature alone, or wants the same', () => {
    const clusters = [
      cluster('plain'),
      cluster('same', { features: { base: { chart: { sourceRef: { name: 'charts' }, version: 'v2', name: 'chart' }, featureSet: 'core' } } }),
      cluster('other', { features: { base: { ...entry, values: {} } } }),
      cluster('busy', {}, { phase: 'InProgress', observedGeneration: 3 }),
      cluster('behind', {}, { phase: 'Current', observedGeneration: 2 }),
      { name: 'unbound', binding: undefined },
    ];
    expect(statusOfFeature('base', { base: entry }, clusters)).toEqual({
      insyncClusters: ['plain', 'same'],
      outOfSyncClusters: ['other', 'busy', 'behind', 'unbound'],
      unalignedClusters: ['other'],
    });
  });

  it('is out of sync for clusters that have a feature the profile does not have', () => {
    const clusters = [cluster('plain'), cluster('own', { features: { extra: entry } }), { name: 'unbound', binding: undefined }];
    expect(statusOfAll(catalogueOf([], []), { base: { chart } }, clusters)).toEqual({
      core: {
        extra: { insyncClusters: ['plain', 'unbound'], outOfSyncClusters: ['own'], unalignedClusters: ['own'] },
      },
      '': {
        base: { insyncClusters: ['plain', 'own'], outOfSyncClusters: ['unbound'], unalignedClusters: [] },
      },
    });
  });
});

describe('the version of the features', () => {
  const wanted = { 'opscenter-features': { chart } };

  it('is what the cluster reports, else what its binding wants', () => {
    expect(versionOf(wanted)).toBe('v2');
    expect(versionOf({})).toBe('');
    expect(versionAt(cluster('a', { opscenterFeaturesVersion: 'v1' }, { observedOpscenterFeaturesVersion: 'v2' }))).toBe('v2');
    expect(versionAt(cluster('a', { opscenterFeaturesVersion: 'v1' }))).toBe('v1');
    expect(versionAt({ name: 'a', binding: undefined })).toBe('');
  });

  it('can be updated once all clusters have it', () => {
    const has = (version: string) => cluster(version, { opscenterFeaturesVersion: version });
    expect(canUpdate(wanted, [])).toBe(true);
    expect(canUpdate(wanted, [has('v2'), has('v2')])).toBe(true);
    expect(canUpdate(wanted, [has('v2'), has('v1')])).toBe(false);
  });

  it('cannot be updated in clusters of a set that wants no version', () => {
    expect(canUpdate({}, [])).toBe(true);
    expect(canUpdate({}, [{ name: 'unbound', binding: undefined }])).toBe(false);
    expect(canUpdate({}, [cluster('bound')])).toBe(false);
  });
});
