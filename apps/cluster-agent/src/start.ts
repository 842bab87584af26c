import { readFile } from 'node:fs/promises';
import { type Member, memberOf } from '@platform/bus';
import { type ClusterConnection, describeCluster, openCluster, parseKubeconfig } from '@platform/kubernetes';
import { deadlineIn, type OpenService, repeatUntil, type Start } from '@platform/service';
import { openDelivery } from './bus/deliver.ts';
import type { Config } from './config.ts';
import { createInventory } from './inventory/inventory.ts';
import { reportedKinds } from './kinds.ts';
import { openLicence } from './licence/keep-licence.ts';
import { openReporting, type Reporting } from './report.ts';
import { openStore } from './store/store.ts';
import { watchKinds } from './watch-kinds.ts';

export { picks } from './config.ts';

const describeMs = 10_000;

/** At its start, the agent waits until the cluster answers. It does not wait for the bus. */
export const start: Start<Config> = async (service, config) => {
  const { stack } = service;
  const kinds = reportedKinds(config.resources);
  const access = parseKubeconfig(await readFile(config.kubeconfig, 'utf8'));
  const credentials = await readFile(config.credentials, 'utf8');
  const member = memberOf(credentials);
  if (member.productName !== config.product) {
    throw new Error(`agent.creds belongs to the product ${member.productName}, not to ${config.product}`);
  }
  const domain = config.labelsDomain;
  const cluster = stack.use(openCluster(access));
  await refuseOtherCluster(service, cluster, member);
  const store = stack.use(openStore(config.state, domain));
  const inventory = createInventory();
  const others: { reporting?: Reporting } = {};
  const licence = await openLicence({
    service, file: config.licence, clusterUid: member.clusterUid, owner: config.owner,
    baseUrl: config.baseUrl, token: config.token, renewed: () => others.reporting?.renewed(),
  });
  const login = { url: config.busUrl.join(','), credentials };
  const delivery = openDelivery({ service, store, login, member, shards: config.busShards });
  const watched = watchKinds({
    service, cluster, inventory, store, kinds, domain, changed: () => others.reporting?.changed(),
  });
  others.reporting = openReporting({
    service, access, cluster, store, inventory, watched, member, domain, ownerName: config.owner,
    licence, said: () => delivery.wake(),
  });
  return {};
};

/** Refuses a kubeconfig and credentials of different clusters, so that no usage is billed for the wrong cluster. */
async function refuseOtherCluster({ log, stopping }: OpenService, cluster: ClusterConnection, { clusterUid }: Member) {
  const { uid } = await repeatUntil(() => describeCluster(cluster, deadlineIn(describeMs, stopping)), {
    signal: stopping,
    failed: (error) => log.warn({ error }, 'no valid answer from the cluster; retrying'),
  });
  if (uid === clusterUid) return;
  throw new Error(`agent.creds belongs to the cluster ${clusterUid}, but the kubeconfig is for ${uid}`);
}
