import { describe, expect, it } from '@jest/globals';
import type { Feature, FeatureSet } from '@platform/kubernetes';
import { catalogueOf, disable, install, type Wanted } from './rules.ts';

const chart = { name: 'chart', version: 'v1', sourceRef: { name: 'charts' } };

const set = (name: string, requiredFeatures: string[] = [], disabled = false): FeatureSet => ({
  metadata: { name }, spec: { title: name, description: '', requiredFeatures, disabled },
});

function feature(name: string, featureSet: string, more: Partial<Feature['spec']> = {}): Feature {
  return { metadata: { name }, spec: { title: name, description: '', featureSet, chart, ...more } };
}

const needs = (...features: string[]) => ({ requirements: { features } });

const catalogue = catalogueOf(
  [set('core', ['base']), set('backup'), set('old', [], true), set('loop')],
  [
    feature('base', 'core'),
    feature('ui', 'core', needs('base')),
    feature('stash', 'backup', { ...needs('base'), featureExclusionGroup: 'backup' }),
    feature('velero', 'backup', { featureExclusionGroup: 'backup' }),
    feature('tape', 'backup', { disabled: true }),
    feature('bare', 'backup', { chart: undefined as never }),
    feature('one', 'loop', needs('two')),
    feature('two', 'loop', needs('one')),
    feature('lost', 'backup', needs('nowhere')),
  ],
);
const entry = (featureSet: string) => ({ featureSet, chart });
const named = (...names: string[]) => names.map((name) => ({ name }));
const reason = (expected: string) => expect.objectContaining({ reason: expected });

describe('installing a feature set', () => {
  it('adds what the set requires and what features need, with the charts of the features', () => {
    expect(install(catalogue, {}, { featureSet: 'core', features: [] })).toEqual({ base: entry('core') });
    expect(install(catalogue, {}, { featureSet: 'backup', features: named('stash') })).toEqual({
      stash: entry('backup'), base: entry('core'),
    });
  });

  it('takes chart and values that are given', () => {
    const other = { name: 'other', sourceRef: { name: 'elsewhere' } };
    const features = [{ name: 'velero', chart: other, values: { replicas: 2 } }];
    expect(install(catalogue, {}, { featureSet: 'backup', features })).toEqual({
      velero: { featureSet: 'backup', chart: other, values: { replicas: 2 } },
    });
  });

  it('drops features of the set that are not named, and leaves other sets alone', () => {
    const wanted = { base: entry('core'), ui: entry('core'), velero: entry('backup') };
    expect(Object.keys(install(catalogue, wanted, { featureSet: 'core', features: [] }))).toEqual(['base', 'velero']);
  });

  it('leaves features alone that are only needed', () => {
    const wanted = { base: { ...entry('core'), values: { kept: true } } };
    expect(install(catalogue, wanted, { featureSet: 'backup', features: named('stash') })['base']).toBe(wanted.base);
  });

  it('may be repeated', () => {
    const request = { featureSet: 'backup', features: named('stash') };
    const once = install(catalogue, {}, request);
    expect(install(catalogue, once, request)).toEqual(once);
  });

  it('takes features that need each other', () => {
    expect(Object.keys(install(catalogue, {}, { featureSet: 'loop', features: named('one') }))).toEqual(['one', 'two']);
  });

  it.each([
    ['an unknown feature set', 'nowhere', []],
    ['a disabled feature set', 'old', []],
    ['an unknown feature', 'core', ['nowhere']],
    ['a disabled feature', 'backup', ['tape']],
    ['a feature of another set', 'core', ['velero']],
    ['two features that exclude each other', 'backup', ['stash', 'velero']],
    ['a feature without a chart', 'backup', ['bare']],
    ['a feature that needs an unknown one', 'backup', ['lost']],
  ])('refuses %s', (_, featureSet, names) => {
    expect(() => install(catalogue, {}, { featureSet, features: named(...names) })).toThrow(reason('INVALID_VALUE'));
  });

  it('refuses a feature that excludes one of what is wanted', () => {
    const wanted: Wanted = { stash: entry('backup'), base: entry('core') };
    expect(() => install(catalogue, wanted, { featureSet: 'backup', features: named('velero', 'stash') }))
      .toThrow(reason('INVALID_VALUE'));
  });

  it('refuses to drop what another feature needs', () => {
    const core = catalogueOf([set('core'), set('backup')], [...catalogue.features.values()]);
    const wanted: Wanted = { stash: entry('backup'), base: entry('core') };
    expect(() => install(core, wanted, { featureSet: 'core', features: [] })).toThrow(reason('FEATURE_REQUIRED'));
  });

  it('keeps features that are fixed', () => {
    const wanted: Wanted = { velero: entry('backup') };
    const after = install(catalogue, wanted, { featureSet: 'backup', features: [] }, new Set(['velero']));
    expect(after).toEqual(wanted);
  });
});

describe('disabling features', () => {
  const wanted: Wanted = { base: entry('core'), ui: entry('core'), velero: entry('backup') };

  it('removes those named, or all of the set', () => {
    expect(Object.keys(disable(catalogue, wanted, 'core', ['ui']))).toEqual(['base', 'velero']);
    expect(Object.keys(disable(catalogue, wanted, 'core', []))).toEqual(['velero']);
  });

  it('removes nothing where nothing is installed', () => {
    expect(disable(catalogue, wanted, 'backup', ['stash', 'never-heard-of'])).toEqual(wanted);
  });

  it('refuses to remove what a feature that stays needs, and names it', () => {
    expect(() => disable(catalogue, wanted, 'core', ['base'])).toThrow(/base is needed by ui/);
    expect(() => disable(catalogue, { ...wanted, stash: entry('backup') }, 'core', [])).toThrow(reason('FEATURE_REQUIRED'));
  });

  it('refuses an unknown feature set and a feature of another one', () => {
    expect(() => disable(catalogue, wanted, 'nowhere', [])).toThrow(reason('INVALID_VALUE'));
    expect(() => disable(catalogue, wanted, 'core', ['velero'])).toThrow(reason('INVALID_VALUE'));
  });
});
