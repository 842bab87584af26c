import type { Feature } from '@platform/kubernetes';
import { pageOf, partOf } from '@platform/lists';
import type { FeatureInfo, FeatureSetServiceService } from '@platform/proto/clusters/v1/feature_set';
import type { Handler } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import { readCatalogue, readWanted } from './profile.ts';
import type { Wanted } from './rules.ts';

/** GET /clusters/{owner}/{cluster}/clustersets/{clusterset}/featuresets (spec §4.12, open-points 12.3). */
export function listFeatureSets({ config, hubs }: Parts): Handler<typeof FeatureSetServiceService.listFeatureSets> {
  return async (request, context) => {
    const page = pageOf(request, config);
    const hub = await hubs.of(context);
    const [catalogue, wanted] = await Promise.all([
      readCatalogue(hub, context.deadline), readWanted(hub, request.clusterset, context.deadline),
    ]);
    const sets = [...catalogue.sets.values()].filter(({ spec }) => spec.disabled !== true);
    const enabled = [...catalogue.features.values()].filter(({ spec }) => spec.disabled !== true);
    const { items, total, next } = partOf(sets, ({ metadata }) => metadata.name, page);
    const featureSets = items.map(({ metadata: { name }, spec }) => {
      const features = enabled.filter((feature) => feature.spec.featureSet === name).map((one) => toInfo(one, wanted));
      const required = [...spec.requiredFeatures ?? []];
      return {
        name, title: spec.title, description: spec.description, recommended: spec.recommended ?? false,
        installed: required.length > 0
          ? required.every((one) => wanted[one] !== undefined) : features.some(({ installed }) => installed),
        requiredFeatures: required,
        features: features.sort((a, b) => (a.name < b.name ? -1 : 1)),
      };
    });
    return { featureSets, total, next };
  };
}

function toInfo({ metadata: { name }, spec }: Feature, wanted: Wanted): FeatureInfo {
  return {
    name, title: spec.title, description: spec.description, recommended: spec.recommended ?? false,
    installed: wanted[name] !== undefined, featureBlock: spec.featureBlock ?? '',
  };
}
