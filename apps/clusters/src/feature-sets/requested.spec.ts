import { describe, expect, it } from '@jest/globals';
import { requestedInstallation } from './requested.ts';

const model = (resources: object) => ({
  metadata: { resource: {}, release: { name: 'backup', namespace: 'kubeops' } }, resources,
});
const sourceRef = { apiVersion: 'source.toolkit.fluxcd.io/v1', kind: 'HelmRepository', name: 'charts', namespace: 'kubeops' };

describe('what editors of Helm values send', () => {
  it('names the feature set, and the features with their charts and values', () => {
    const chart = { spec: { chart: 'stash', version: 'v1', sourceRef } };
    expect(requestedInstallation(model({
      helmToolkitFluxcdIoHelmRelease_stash_enterprise: {
        metadata: { name: 'stash-enterprise' }, spec: { chart, values: { replicas: 1 } },
      },
      helmToolkitFluxcdIoHelmRelease_velero: { metadata: { name: 'velero' } },
      somethingElse: { metadata: {} },
    }))).toEqual({
      featureSet: 'backup',
      features: [
        {
          name: 'stash-enterprise',
          values: { replicas: 1 },
          chart: {
            name: 'stash',
            version: 'v1',
            sourceRef: { apiGroup: 'source.toolkit.fluxcd.io', kind: 'HelmRepository', name: 'charts', namespace: 'kubeops' },
          },
        },
        { name: 'velero' },
      ],
    });
  });

  it.each([
    ['nothing', {}, 'metadata.release.name'],
    ['no release', { metadata: {} }, 'metadata.release.name'],
    ['a release without a name', { metadata: { release: { name: '' } } }, 'metadata.release.name'],
    ['invalid resources', { ...model({}), resources: [] }, 'resources'],
    ['a feature without a name', model({ helmToolkitFluxcdIoHelmRelease_a: { metadata: {} } }),
      'resources.helmToolkitFluxcdIoHelmRelease_a.metadata.name'],
    ['a chart without a source', model({
      helmToolkitFluxcdIoHelmRelease_a: { metadata: { name: 'a' }, spec: { chart: { spec: { chart: 'a' } } } },
    }), 'resources.helmToolkitFluxcdIoHelmRelease_a.spec.chart'],
  ])('is refused for %s', (_, body, path) => {
    expect(() => requestedInstallation(body)).toThrow(expect.objectContaining({
      reason: 'VALIDATION_FAILED', violations: [expect.objectContaining({ path })],
    }));
  });
});

describe('the short form', () => {
  it('names the feature set, features and values', () => {
    const body = { featureSet: 'backup', features: ['stash', 'stash', 'velero'], values: { stash: { replicas: 2 } } };
    expect(requestedInstallation(body)).toEqual({
      featureSet: 'backup', features: [{ name: 'stash', values: { replicas: 2 } }, { name: 'velero' }],
    });
    expect(requestedInstallation({ featureSet: 'backup', features: null })).toEqual({ featureSet: 'backup', features: [] });
  });

  it.each([
    [{ featureSet: '' }, 'featureSet'],
    [{ featureSet: 1 }, 'featureSet'],
    [{ featureSet: 'a', features: 'b' }, 'features'],
    [{ featureSet: 'a', features: [1] }, 'features'],
    [{ featureSet: 'a', values: [] }, 'values'],
    [{ featureSet: 'a', features: ['b'], values: { b: 1 } }, 'values.b'],
    [{ featureSet: 'a', features: ['b'], values: { c: {} } }, 'values.c'],
  ])('%j is refused at %s', (body, path) => {
    expect(() => requestedInstallation(body)).toThrow(expect.objectContaining({
      reason: 'VALIDATION_FAILED', violations: [expect.objectContaining({ path })],
    }));
  });
});
