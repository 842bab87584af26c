import type { Chart } from '@platform/kubernetes';
import { validationFailed, Violations } from '@platform/values';
import type { Installation, RequestedFeature } from './rules.ts';

type Json = Readonly<Record<string, unknown>>;

/** In `resources`, the keys of Flux HelmReleases have this prefix (open-points 12.3). */
const releaseKey = 'helmToolkitFluxcdIoHelmRelease_';

/**
 * Parses the body of `install-featureset` and `update-featureset`. Accepts two forms (open-points 12.3):
 * `{"metadata", "resources"?}` and `{"featureSet", "features"?, "values"?}`.
 * @throws Fault VALIDATION_FAILED
 */
export function requestedInstallation(model: Json | undefined): Installation {
  const body = model ?? {};
  return 'featureSet' in body ? readNames(body) : readModel(body);
}

function readNames({ featureSet, features = [], values = {} }: Json): Installation {
  const violations = new Violations();
  if (typeof featureSet !== 'string' || featureSet === '') violations.note('featureSet', 'must name a feature set');
  const names = isNames(features ?? []) ? (features ?? []) as string[] : [];
  if (!isNames(features ?? [])) violations.note('features', 'must be a list of names');
  const given = isObject(values ?? {}) ? (values ?? {}) as Json : {};
  if (!isObject(values ?? {})) violations.note('values', 'must be an object');
  for (const [name, one] of Object.entries(given)) {
    if (!isObject(one)) violations.note(`values.${name}`, 'must be an object');
    else if (!names.includes(name)) violations.note(`values.${name}`, 'is not among the features');
  }
  violations.refuse();
  const chosen = [...new Set(names)].map((name): RequestedFeature =>
    (given[name] === undefined ? { name } : { name, values: given[name] }));
  return { featureSet: featureSet as string, features: chosen };
}

function readModel({ metadata, resources = {} }: Json): Installation {
  const violations = new Violations();
  const featureSet = at(at(metadata, 'release'), 'name');
  if (typeof featureSet !== 'string' || featureSet === '') {
    violations.note('metadata.release.name', 'must name a feature set');
  }
  if (!isObject(resources)) throw validationFailed([{ path: 'resources', message: 'must be an object' }]);
  const features = new Map<string, RequestedFeature>();
  for (const [key, release] of Object.entries(resources).filter(([one]) => one.startsWith(releaseKey))) {
    const name = at(at(release, 'metadata'), 'name');
    if (typeof name !== 'string' || name === '') {
      violations.note(`resources.${key}.metadata.name`, 'must name a feature');
      continue;
    }
    const spec = at(release, 'spec');
    const [values, given] = [at(spec, 'values'), at(spec, 'chart')];
    const chart = given === undefined ? undefined : chartOf(given);
    if (given !== undefined && chart === undefined) {
      violations.note(`resources.${key}.spec.chart`, 'must have the name of a chart and a sourceRef with a name');
    }
    features.set(name, {
      name, ...(chart === undefined ? {} : { chart }), ...(values === undefined ? {} : { values }),
    });
  }
  violations.refuse();
  return { featureSet: featureSet as string, features: [...features.values()] };
}

/**
 * Reads a chart in one of two forms: that of `spec.chart` in a Flux HelmRelease
 * (`{spec: {chart, version, sourceRef}}`), or that of a `Feature` (`{name, version, sourceRef}`). Returns undefined
 * if the chart or its source has no name.
 */
function chartOf(given: unknown): Chart | undefined {
  const spec = at(given, 'spec') ?? given;
  const [name, version, source] = [at(spec, 'chart') ?? at(spec, 'name'), at(spec, 'version'), at(spec, 'sourceRef')];
  const sourceName = at(source, 'name');
  if (typeof name !== 'string' || name === '' || typeof sourceName !== 'string' || sourceName === '') return undefined;
  const text = (key: string) => {
    const value = at(source, key);
    return typeof value === 'string' ? { [key]: value } : {};
  };
  const apiVersion = at(source, 'apiVersion');
  const apiGroup = typeof apiVersion === 'string' ? { apiGroup: apiVersion.split('/')[0]! } : text('apiGroup');
  return {
    name,
    ...(typeof version === 'string' ? { version } : {}),
    sourceRef: { ...apiGroup, ...text('kind'), name: sourceName, ...text('namespace') },
  };
}

function at(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] ?? undefined : undefined;
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name !== '');
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
