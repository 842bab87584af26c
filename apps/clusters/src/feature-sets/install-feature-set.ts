import type { FeatureSetServiceService } from '@platform/proto/clusters/v1/feature_set';
import type { Handler } from '@platform/rpc';
import { invalidValue, Violations } from '@platform/values';
import type { Parts } from '../parts.ts';
import { changeProfile, readCatalogue } from './profile.ts';
import { requestedInstallation } from './requested.ts';
import { disable, install } from './rules.ts';

/** POST /clusters/{owner}/{cluster}/clustersets/{clusterset}/install-featureset (spec §4.12, open-points 12.3). */
export function installFeatureSet({ hubs }: Parts): Handler<typeof FeatureSetServiceService.installFeatureSet> {
  return async ({ clusterset, model }, context) => {
    const installation = requestedInstallation(model);
    const { deadline } = context;
    const hub = await hubs.of(context);
    const catalogue = await readCatalogue(hub, deadline);
    await changeProfile(hub, clusterset, deadline, (wanted) => install(catalogue, wanted, installation));
    return {};
  };
}

/** POST /clusters/{owner}/{cluster}/clustersets/{clusterset}/disable-featureset (spec §4.12, open-points 12.3). */
export function disableFeatureSet({ hubs }: Parts): Handler<typeof FeatureSetServiceService.disableFeatureSet> {
  return async ({ clusterset, options }, context) => {
    const { clusterSet = '', featureSet = '', features = [] } = options ?? {};
    const violations = new Violations();
    if (clusterSet === '') violations.note('clusterSet', 'must not be empty');
    if (featureSet === '') violations.note('featureSet', 'must not be empty');
    violations.refuse();
    if (clusterSet !== clusterset) {
      throw invalidValue([{ path: 'clusterSet', message: 'must be the cluster set of the path' }]);
    }
    const { deadline } = context;
    const hub = await hubs.of(context);
    const catalogue = await readCatalogue(hub, deadline);
    await changeProfile(hub, clusterset, deadline, (wanted) => disable(catalogue, wanted, featureSet, features));
    return {};
  };
}
