import type { Chart, Feature, FeatureSet, WantedFeature } from '@platform/kubernetes';
import { Fault } from '@platform/faults';
import { invalidValue } from '@platform/values';

/** Features by name, as a profile or a profile binding wants them. */
export type Wanted = Readonly<Record<string, WantedFeature>>;

export interface Catalogue {
  readonly sets: ReadonlyMap<string, FeatureSet>;
  readonly features: ReadonlyMap<string, Feature>;
}

export interface RequestedFeature {
  readonly name: string;
  /** Default: the chart that the `Feature` on the hub has. */
  readonly chart?: Chart;
  readonly values?: unknown;
}

export interface Installation {
  readonly featureSet: string;
  /** The features to install, in addition to the features that the feature set requires. */
  readonly features: readonly RequestedFeature[];
}

export function catalogueOf(sets: readonly FeatureSet[], features: readonly Feature[]): Catalogue {
  const byName = <Item extends { readonly metadata: { readonly name: string } }>(items: readonly Item[]) =>
    new Map(items.map((item) => [item.metadata.name, item]));
  return { sets: byName(sets), features: byName(features) };
}

/**
 * Installs a feature set (open-points 12.3, 12.5). Sets the named features. Adds missing features that the feature set
 * requires. Adds missing features that named or required features need, directly or indirectly. Removes all other
 * features of the feature set, except those in `fixed`.
 * @param fixed names of features that stay; for a change of a single cluster, the features of its profile
 * @returns the features wanted after the installation
 * @throws Fault INVALID_VALUE, FEATURE_REQUIRED
 */
export function install(
  catalogue: Catalogue, wanted: Wanted, { featureSet, features }: Installation, fixed: ReadonlySet<string> = new Set(),
): Wanted {
  const set = catalogue.sets.get(featureSet);
  if (set === undefined || set.spec.disabled === true) throw unknownSet(featureSet);
  const required = set.spec.requiredFeatures ?? [];
  const named = new Map(features.map((feature) => [feature.name, feature]));
  for (const name of named.keys()) requireOf(catalogue, featureSet, name);
  const chosen = withNeeds(catalogue, [...named.keys(), ...required]);
  const stays = (name: string): boolean =>
    chosen.has(name) || fixed.has(name) || setOf(catalogue, name, wanted[name]!) !== featureSet;
  const after: Record<string, WantedFeature> =
    Object.fromEntries(Object.entries(wanted).filter(([name]) => stays(name)));
  for (const name of chosen) {
    const request = named.get(name);
    if (request !== undefined || after[name] === undefined) after[name] = entryOf(catalogue, name, request);
  }
  refuseMissing(catalogue, after, Object.keys(wanted).filter((name) => after[name] === undefined));
  refuseExclusive(catalogue, after);
  return after;
}

/**
 * Removes the named features of a feature set, or all its features if none are named.
 * @returns the remaining features
 * @throws Fault INVALID_VALUE, FEATURE_REQUIRED
 */
export function disable(catalogue: Catalogue, wanted: Wanted, featureSet: string, features: readonly string[]): Wanted {
  if (!catalogue.sets.has(featureSet)) throw unknownSet(featureSet);
  for (const name of features) {
    const known = catalogue.features.get(name);
    if (known !== undefined && known.spec.featureSet !== featureSet) {
      throw unacceptable('features', name, 'belongs to another feature set');
    }
  }
  const goes = (name: string): boolean => setOf(catalogue, name, wanted[name]!) === featureSet
    && (features.length === 0 || features.includes(name));
  const removed = Object.keys(wanted).filter(goes);
  const after = Object.fromEntries(Object.entries(wanted).filter(([name]) => !removed.includes(name)));
  refuseMissing(catalogue, after, removed);
  return after;
}

/** The feature set of a wanted feature, from its entry or from the hub; empty if neither names a feature set. */
export function setOf({ features }: Catalogue, name: string, entry: WantedFeature): string {
  return entry.featureSet ?? features.get(name)?.spec.featureSet ?? '';
}

/** The named features and the features that they need, directly or indirectly, also from other feature sets. */
function withNeeds(catalogue: Catalogue, names: readonly string[]): ReadonlySet<string> {
  const all = new Set<string>();
  const visit = (name: string): void => {
    if (all.has(name)) return;
    const feature = catalogue.features.get(name);
    if (feature === undefined || feature.spec.disabled === true) {
      throw unacceptable('features', name, 'is needed, but is missing or disabled on the hub');
    }
    all.add(name);
    feature.spec.requirements?.features?.forEach(visit);
  };
  names.forEach(visit);
  return all;
}

function requireOf({ features }: Catalogue, featureSet: string, name: string): void {
  const feature = features.get(name);
  if (feature === undefined || feature.spec.disabled === true || feature.spec.featureSet !== featureSet) {
    throw unacceptable('features', name, `is not an enabled feature of ${featureSet}`);
  }
}

function entryOf({ features }: Catalogue, name: string, request: RequestedFeature | undefined): WantedFeature {
  const { featureSet, chart: usual, values: usualValues } = features.get(name)!.spec;
  const chart = request?.chart ?? usual;
  if (chart === undefined) throw unacceptable('features', name, 'has no chart');
  const values = request === undefined ? usualValues : request.values;
  return { featureSet, chart, ...(values === undefined ? {} : { values }) };
}

/** Refuses to remove a feature that a remaining feature needs. */
function refuseMissing({ features }: Catalogue, after: Wanted, gone: readonly string[]): void {
  for (const name of Object.keys(after)) {
    const needed = features.get(name)?.spec.requirements?.features?.find((one) => gone.includes(one));
    if (needed !== undefined) throw new Fault('FEATURE_REQUIRED', `the feature ${needed} is needed by ${name}`);
  }
}

function refuseExclusive({ features }: Catalogue, after: Wanted): void {
  const first = new Map<string, string>();
  for (const name of Object.keys(after)) {
    const group = features.get(name)?.spec.featureExclusionGroup ?? '';
    if (group === '') continue;
    const other = first.get(group);
    if (other !== undefined) throw unacceptable('features', name, `excludes ${other}`);
    first.set(group, name);
  }
}

function unknownSet(name: string): Fault {
  return unacceptable('featureSet', name, 'is not an enabled feature set of the hub');
}

function unacceptable(path: string, name: string, problem: string): Fault {
  return invalidValue([{ path, message: `${name} ${problem}` }]);
}
