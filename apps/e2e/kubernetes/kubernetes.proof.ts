import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Api, ApiFault, type LabCluster, type LabNode, missingForNode, openApi, startLab } from '@platform/lab';
import { type HttpClient, type ProofOptions, type ProofResult, until } from '@platform/testing';
import { startLoad } from '../faults/load.ts';
import { agentChart, chart } from '../src/charts/chart-files.ts';
import { type Helm, openHelm } from '../src/charts/helm.ts';
import { documentedHttp } from '../src/documented.ts';
import { wrongArrows } from './arrows.ts';
import { type Customers, prepareCustomers } from './customers.ts';
import { missingForImages, openDocker } from './docker.ts';
import { buildImages, type Images } from './images.ts';
import { step } from './load-step.ts';
import { component, importImages, killPod, type Pod, type Release, releaseIn } from './release.ts';
import { allAnswer, callsByPod, startOtherTeam, unlikeShares } from './shared-calls.ts';

export const name = 'kubernetes';
export const describe = 'On a real node: images are small and reproducible; the chart installs at the first try within 5 minutes; an '
  + 'upgrade and back under 100 requests/s fails no repeatable call; pods that come later get their share of calls, of services and of '
  + 'other teams; killed and evicted pods cause no wrong answer; only the '
  + 'connections of the architecture can be made; the agent\'s chart reports a Deployment.';

const namespace = 'platform';
const members = 'kubeops';
const strangers = 'strangers';
const mostMebibytes = 220;
const installMs = 5 * 60_000;
const perSecond = 100;
/** The least rate of right answers per second, as an average over a step. */
const leastPerSecond = 95;
/**
 * Number of clients that keep the rate even if each answer takes five seconds, as on two cores while all services of a
 * new version start.
 */
const clients = 500;
/** Limit for a rollout, ample even on a busy machine. */
const rolloutMs = 10 * 60_000;

interface Cluster {
  readonly api: Api;
  readonly kubeconfig: string;
  readonly node: LabNode;
  readonly uid: string;
  readonly helm: Helm;
  readonly folder: string;
  readonly images: Images;
  readonly report: (line: string) => void;
  readonly wrong: string[];
}

export async function prove({ share, report }: ProofOptions): Promise<ProofResult> {
  const missing = [...await missingForNode(), ...await missingForImages()];
  if (missing.length > 0) {
    return { figure: `not tried: this machine lacks ${missing.join(', ')}`, holds: undefined };
  }
  const folder = await mkdtemp(join(tmpdir(), 'platform-kubernetes-'));
  try {
    await using images = await builtImages(share, report);
    const wrong = [...images.notReproduced.map((image) => `a second build made another ${image}`)];
    for (const [image, size] of images.mebibytes) {
      report(`${image}: ${size.toFixed(1)} MiB beside the base`);
      if (size > mostMebibytes) wrong.push(`${image} has ${size.toFixed(1)} MiB beside the base`);
    }
    await using lab = await startLab({ home: join(folder, 'lab'), spokes: 1, node: true, environment: process.env, report });
    const { kubeconfig, uid, node } = lab.spokes[0] as Required<LabCluster>;
    using api = await openApi(kubeconfig);
    await importImages(node, images.archive);
    report('images are imported');
    const helm = await openHelm(chart, folder, installMs);
    const figure = await tryAll({ api, kubeconfig, uid, node, helm, folder, images, report, wrong });
    return { figure: `${figure}, ${wrong.length} wrong`, holds: wrong.length === 0, counterexamples: wrong.slice(0, 40) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function builtImages(share: number, report: (line: string) => void): Promise<Images> {
  await using docker = await openDocker(report);
  return await buildImages(docker, share === 1, report);
}

async function tryAll(cluster: Cluster): Promise<string> {
  const { api, images, report } = cluster;
  const release = releaseIn(api, namespace, `platform/cli:${images.version}`);
  const seconds = await install(cluster, release);
  await using gateway = await openGateway(cluster);
  const customers = await prepareCustomers(gateway, release);
  report('customers are there');
  await upgradeAndBack(cluster, release, customers);
  await shareCalls(cluster, release, customers);
  await losePods(cluster, release, customers);
  const { tried, wrong } = await wrongArrows(cluster.node, await release.pods(), await startOutsider(cluster));
  report(`${tried} connections tried, ${wrong.length} wrong`);
  cluster.wrong.push(...wrong, ...await customers.disagreements());
  await reportDeployment(cluster, gateway, customers);
  return `installed and tested in ${seconds} s, ${tried} connections tried`;
}

/** Installs the platform as README.md describes; returns the seconds that it took. */
async function install({ api, kubeconfig, helm, folder, wrong, report }: Cluster, release: Release): Promise<number> {
  for (const name of [namespace, members, strangers]) {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted', 'kubernetes.io/metadata.name': name };
    await api.create('/api/v1/namespaces', { metadata: { name, labels } });
  }
  const begun = performance.now();
  const values = await valuesFile(folder);
  await helm.release(kubeconfig, 'install', 'platform', chart, '--namespace', namespace, '--values', values);
  await release.rolledOut(installMs);
  await helm.release(kubeconfig, 'test', 'platform', '--namespace', namespace, '--timeout', '5m');
  const milliseconds = performance.now() - begun;
  report(`installed and tested in ${(milliseconds / 1_000).toFixed(0)} s`);
  if (milliseconds > installMs) wrong.push(`the installation took ${(milliseconds / 1_000).toFixed(0)} s`);
  const { items } = await api.call('GET', `/api/v1/namespaces/${namespace}/events?fieldSelector=reason%3DFailedCreate`) as {
    items: readonly { message: string }[];
  };
  wrong.push(...items.map(({ message }) => `not admitted: ${message}`));
  return Math.round(milliseconds / 1_000);
}

async function openGateway({ api, node }: Cluster): Promise<HttpClient> {
  const service = `/api/v1/namespaces/${namespace}/services/platform-gateway`;
  const { spec } = await api.call('GET', service) as { spec: { ports: readonly { nodePort: number }[] } };
  return documentedHttp(`http://${node.address}:${spec.ports[0]!.nodePort}`);
}

/** Values that differ from the defaults: one replica of each service, and volumes on one node. */
async function valuesFile(folder: string): Promise<string> {
  const path = join(folder, 'values.json');
  await writeFile(path, JSON.stringify({
    deploymentType: 'Hosted',
    baseURL: 'http://platform.example.com',
    gateway: { service: { type: 'NodePort' } },
    workload: { resources: { requests: { cpu: '20m', memory: '128Mi' }, limits: { memory: '512Mi' } } },
    networkPolicy: { grpcFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': members } } }] },
    nats: { membersFrom: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': members } } }] },
  }));
  return path;
}

async function upgradeAndBack(cluster: Cluster, release: Release, customers: Customers): Promise<void> {
  const { kubeconfig, helm, folder, images } = cluster;
  const values = await valuesFile(folder);
  await using load = startLoad([...customers.reads, ...customers.writes], { clients, share: 1, perSecond });
  await load.steady(60_000);
  await load.phase();
  const demands = { mayRefuse: false, leastPerSecond };
  await step(cluster, load, 'upgrade', demands, async () => {
    await helm.release(
      kubeconfig, 'upgrade', 'platform', chart, '--namespace', namespace, '--values', values,
      '--set', `image.tag=${images.next}`,
    );
    await release.rolledOut(rolloutMs);
  });
  await step(cluster, load, 'back', demands, async () => {
    await helm.release(kubeconfig, 'rollback', 'platform', '--namespace', namespace);
    await release.rolledOut(rolloutMs);
  });
}

/**
 * Scales services by hand from one pod to three, and counts the calls of each pod; then upgrades with the same values,
 * which brings back one pod.
 */
async function shareCalls(cluster: Cluster, release: Release, customers: Customers): Promise<void> {
  const { api, kubeconfig, node, helm, folder, images, report, wrong } = cluster;
  await using load = startLoad(customers.reads, { clients, share: 1, perSecond: perSecond / 2 });
  await load.steady(60_000);
  const target = `dns:///platform-authz-headless.${namespace}.svc.cluster.local:8081`;
  const caller = { target, token: customers.adminToken, org: customers.calm };
  await using team = await startOtherTeam(api, members, caller, idlePod(`platform/cli:${images.version}`));
  const callers = [['authz', 'services'], ['billing-dashboard', 'services'], ['authz', 'others']] as const;
  for (const [service, who] of callers) await allAnswer(() => callsByPod(node, release, service, who), 1, 10);
  // The node's network policy knows a new pod only a moment after it starts.
  const errorsBefore = (await team.errors()).length;
  for (const service of ['authz', 'billing-dashboard']) {
    const scale = `/apis/apps/v1/namespaces/${namespace}/deployments/platform-${service}/scale?fieldManager=kubectl`;
    await api.call('PATCH', scale, { spec: { replicas: 3 } }, 'application/merge-patch+json');
  }
  await release.rolledOut(rolloutMs);
  for (const [service, who] of callers) {
    const count = () => callsByPod(node, release, service, who);
    // Count only once all pods are known to the callers.
    await allAnswer(count, 3, 1);
    const calls = await allAnswer(count, 3, 100, await count());
    report(`calls of ${who} by pod of ${service}: ${[...calls.values()].join(', ')}`);
    wrong.push(...unlikeShares(calls));
  }
  wrong.push(...(await team.errors()).slice(errorsBefore).map((error) => `another team: ${error}`));
  await step(cluster, load, 'an upgrade takes the pods back', { mayRefuse: false, leastPerSecond: 0 }, async () => {
    const values = await valuesFile(folder);
    await helm.release(kubeconfig, 'upgrade', 'platform', chart, '--namespace', namespace, '--values', values);
    await release.rolledOut(rolloutMs);
  });
  const pods = (await release.pods()).filter((pod) => /^(?:authz|billing-dashboard)$/.test(component(pod)));
  if (pods.length !== 2) wrong.push(`after the upgrade there are ${pods.length} pods of two services`);
}

async function losePods(cluster: Cluster, release: Release, customers: Customers): Promise<void> {
  const { api, node } = cluster;
  await using load = startLoad([...customers.reads, ...customers.writes], { clients, share: 1, perSecond: perSecond / 4 });
  await load.steady(60_000);
  const demands = { mayRefuse: true, leastPerSecond: 0 };
  const lasting = ({ metadata }: Pod): boolean => !/-(?:prepare|migrate|test)-?/.test(metadata.name);
  const one = new Map((await release.pods()).filter(lasting).map((pod) => [component(pod), pod]));
  for (const [part, pod] of one) {
    await step(cluster, load, `a pod of ${part} is killed`, demands, async () => {
      await killPod(api, namespace, pod);
      await release.rolledOut(rolloutMs);
    });
  }
  await step(cluster, load, 'the node is drained and comes back', demands, async () => {
    const cordon = (unschedulable: boolean) => {
      return api.call('PATCH', `/api/v1/nodes/${node.name}`, { spec: { unschedulable } }, 'application/merge-patch+json');
    };
    await cordon(true);
    for (const pod of (await release.pods()).filter(lasting)) await evict(api, pod);
    await cordon(false);
    await release.rolledOut(rolloutMs);
  });
}

/**
 * Evicts a pod as `kubectl drain` does. Skips a pod whose disruption budget permits no eviction, because there is no
 * other node.
 */
async function evict(api: Api, { metadata }: Pod): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods/${metadata.name}/eviction`;
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: metadata.name, namespace } };
  // A budget refuses with 429, after which openApi retries. So read the budget first.
  const { items } = await api.call('GET', `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`) as {
    items: readonly { metadata: { name: string }; status: { disruptionsAllowed: number } }[];
  };
  const own = items.find((budget) => budget.metadata.name === `platform-${metadata.labels['app.kubernetes.io/component']}`);
  if (own !== undefined && own.status.disruptionsAllowed === 0) return;
  await api.call('POST', path, eviction).catch((error: unknown) => {
    if (!(error instanceof ApiFault) || error.status !== 404) throw error;
  });
}

const restricted = {
  securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: 'RuntimeDefault' } },
  container: { securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } },
};

function idlePod(image: string, resources: object = {}) {
  return {
    automountServiceAccountToken: false,
    securityContext: restricted.securityContext,
    containers: [{
      name: 'main', image, command: ['node', '-e', 'setInterval(() => undefined, 1e9)'], resources, ...restricted.container,
    }] as const,
  };
}

/** Starts a pod outside the platform; returns its address. */
async function startOutsider({ api, images }: Cluster): Promise<string> {
  const pods = `/api/v1/namespaces/${strangers}/pods`;
  await api.create(pods, { metadata: { name: 'outsider' }, spec: idlePod(`platform/cli:${images.version}`) });
  return until(async () => {
    const { status } = await api.call('GET', `${pods}/outsider`) as Pod;
    return status.phase === 'Running' && status.podIP;
  }, { within: 60_000, what: 'the outsider runs' });
}

/** Installs the agent's chart with a Deployment, and waits until the usage view shows the Deployment. */
async function reportDeployment(cluster: Cluster, gateway: HttpClient, customers: Customers): Promise<void> {
  const { api, kubeconfig, uid, folder, images, report, wrong } = cluster;
  const { product, creds, license } = await customers.member(uid);
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  await api.create(`/api/v1/namespaces/${members}/secrets`, {
    metadata: { name: 'member' }, data: { 'creds': encoded(creds), 'license.pem': encoded(license) },
  });
  const labels = { app: 'web' };
  await api.create(`/apis/apps/v1/namespaces/${members}/deployments`, {
    metadata: { name: 'web' },
    spec: {
      replicas: 2, selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: idlePod(`platform/cli:${images.version}`, { limits: { cpu: '100m', memory: '64Mi' } }) },
    },
  });
  const agent = await openHelm(agentChart, folder, installMs);
  await agent.release(kubeconfig, 'install', 'agent', agentChart, '--namespace', members, ...Object.entries({
    owner: customers.calm, product, secret: 'member', natsURL: `nats://platform-nats.${namespace}.svc:4222`,
  }).flatMap(([key, value]) => ['--set', `${key}=${value}`]));
  const month = new Date().toISOString().slice(0, 7).replace('-', '/');
  const view = `/api/v1/dashboard/summary/${month}/usage-report/products/productdb/views/objects-usage-view`;
  const begun = performance.now();
  try {
    await until(async () => {
      const answer = await gateway.get(`${view}?org=${customers.calm}`, {
        headers: { authorization: `token ${customers.adminToken}` },
      });
      const { rows } = answer.json<{ rows: readonly { namespace: string; kind: string; name: string; usage: { cpu: number } }[] }>();
      return rows.some((row) => row.namespace === members && row.kind === 'Deployment' && row.name === 'web' && row.usage.cpu > 0);
    }, { within: installMs, what: 'the usage view shows the Deployment' });
    report(`the agent's Deployment is in the usage view after ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
  } catch (error) {
    wrong.push(`the agent: ${(error as Error).message}: ${String((error as Error).cause)}`);
  }
}
