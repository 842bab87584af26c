import { openApi } from '@platform/lab';
import { testLab } from '@platform/testing';
import { paths } from '../clusters/hub-world.ts';
import type { ConsoleWorld } from './console-world.ts';

/** Story 5: the operator opens a hub, makes a cluster set, installs a feature there, and binds a namespace to it. */
export async function operatorManagesClusters(world: ConsoleWorld): Promise<void> {
  const { hubPrefix: prefix } = world;
  const olga = await world.visit(world.owner);
  {
    using hub = await openApi((await testLab()).hub.kubeconfig);
    const kind = { apiVersion: 'ui.k8s.appscode.com/v1alpha1' };
    const chart = { name: 'chart', version: 'v1', sourceRef: { kind: 'HelmRepository', name: 'charts' } };
    const spec = { description: '', chart };
    await hub.create(paths.featureSets, {
      ...kind, kind: 'FeatureSet', metadata: { name: prefix }, spec: { ...spec, title: `Core ${prefix}` },
    });
    await hub.create(paths.features, {
      ...kind, kind: 'Feature', metadata: { name: `${prefix}-base` }, spec: { ...spec, title: 'Base', featureSet: prefix },
    });
    await hub.create('/api/v1/namespaces', { metadata: { name: prefix } });
  }
  await olga.go('/orgs/acme/clusters');
  await olga.type('Open a hub', 'hub');
  await olga.click('Open');
  await olga.page.getByRole('heading', { level: 1, name: 'hub', exact: true }).waitFor();
  await olga.click('New cluster set');
  await olga.type('Name', prefix);
  await olga.confirm('Create');
  await olga.sees('The cluster set is created');
  await olga.click(prefix);
  await olga.sees('No clusters in this set');

  const core = new RegExp(`^Core ${prefix}`);
  await olga.click(core);
  await olga.click('Install');
  await olga.choose('Features', 'Base');
  await olga.confirm('Install');
  await olga.sees('The features are being installed');
  await olga.click(new RegExp(`${core.source}.*Installed`));

  await olga.click('Namespaces', 'tab');
  await olga.click('Bind a namespace');
  await olga.type('Namespace of the hub', prefix);
  await olga.choose('Cluster set', prefix);
  await olga.confirm('Bind');
  await olga.sees('The namespace is bound');
  await olga.click(`Unbind ${prefix} from ${prefix}`);
  await olga.sees('The namespace is unbound');

  await olga.click('Cluster sets', 'tab');
  await olga.inRow(prefix, 'Delete');
  await olga.confirm('Delete');
  await olga.sees('The cluster set is deleted');
}
