import { FeatureSetServiceService } from '@platform/proto/clusters/v1/feature_set';
import { implement, type Implementation } from '@platform/rpc';
import type { Parts } from '../parts.ts';
import {
  checkAutoUpdate, getFeaturesVersion, getSyncStatusOfAllFeatures, getSyncStatusOfFeature,
} from './get-sync-status.ts';
import { disableFeatureSet, installFeatureSet } from './install-feature-set.ts';
import { listFeatureSets } from './list-feature-sets.ts';
import { startAutoUpdate } from './start-auto-update.ts';
import { updateFeatureSet } from './update-feature-set.ts';

export function featureSetService(parts: Parts): Implementation {
  return implement(FeatureSetServiceService, {
    listFeatureSets: listFeatureSets(parts),
    installFeatureSet: installFeatureSet(parts),
    disableFeatureSet: disableFeatureSet(parts),
    updateFeatureSet: updateFeatureSet(parts),
    getSyncStatusOfAllFeatures: getSyncStatusOfAllFeatures(parts),
    getFeaturesVersion: getFeaturesVersion(parts),
    getSyncStatusOfFeature: getSyncStatusOfFeature(parts),
    checkAutoUpdate: checkAutoUpdate(parts),
    startAutoUpdate: startAutoUpdate(parts),
  });
}
