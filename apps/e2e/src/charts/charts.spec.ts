import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, openApi } from '@platform/lab';
import { environmentName, secretsOf, services } from '@platform/service';
import { type KubernetesSchemas, openKubernetesSchemas, repositoryRoot, testLab } from '@platform/testing';
import { parse } from 'yaml';
import { agentChart, chart } from './chart-files.ts';
import { chartRows } from './chart-rows.ts';
import { installDefinitions } from './definitions.ts';
import { type DryRun, openDryRun } from './dry-run.ts';
import { buildMs, type Helm, openHelm, type Rendered } from './helm.ts';
import { natsKeys, refusedValues } from './refused-values.ts';

let helm: Helm;
let api: Api;
let dryRun: DryRun;
let schemas: KubernetesSchemas;
let definitions: AsyncDisposable;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-charts-'));
  helm = await openHelm(chart, folder);
  api = await openApi((await testLab()).hub.kubeconfig);
  definitions = await installDefinitions(api);
  dryRun = await openDryRun(api, 'charts');
  schemas = openKubernetesSchemas((path) => api.call('GET', path));
}, buildMs);
afterAll(async () => {
  await definitions[Symbol.asyncDispose]();
  await api.call('DELETE', '/api/v1/namespaces/charts');
  api[Symbol.dispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Variants of the chart. */
const variants: Readonly<Record<string, { readonly files?: readonly string[]; readonly values?: object }>> = {
  'the defaults': {},
  'examples/small.yaml': { files: ['small.yaml'] }, 'examples/production.yaml': { files: ['production.yaml'] },
  'the values of docs/tutorials/release.md': { values: valuesOfTutorial() },
  'given certificates and HTTPS at the gateway': { values: {
    tls: { mode: 'given' }, gateway: { tlsSecret: 'gateway-https', service: { type: 'LoadBalancer', port: 443 } },
  } },
  'a route of the Gateway API, scaled services, a shared volume': { values: {
    baseURL: 'https://example.com',
    httpRoute: { enabled: true, hostnames: ['example.com'], parentRefs: [{ name: 'public' }] },
    files: { volume: { accessMode: 'ReadWriteMany' } }, workload: { autoscaling: { enabled: true } },
  } },
  'a long tag that ends as no label may': { values: { image: { tag: `${'a'.repeat(62)}_${'b'.repeat(60)}.` } } },
  'IPv6, a mirror, authorities, workload identity, and more of everything for pods': { values: {
    listenAddress: '::', image: { registry: 'mirror.example.com/hub' },
    files: { store: 's3', workloadIdentity: true },
    settings: { 'files.s3.endpoint': 'https://s3.eu-central-1.amazonaws.com', 'files.s3.bucket': 'files' },
    authorities: { configMap: 'company' }, priorityClassName: 'system-cluster-critical',
    workload: {
      topologySpreadConstraints: [{
        topologyKey: 'rack', maxSkew: 2, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { a: 'b' } },
      }],
      serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/platform' },
      podLabels: { 'azure.workload.identity/use': 'true' },
      extraEnv: [
        { name: 'TZ', value: 'Europe/Berlin' }, { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      ],
      extraVolumes: [{ name: 'more', emptyDir: {} }], extraVolumeMounts: [{ name: 'more', mountPath: '/more' }],
    },
    networkPolicy: { dnsPorts: [53, 5353] },
  } },
  'a marketplace with settings of every form': { values: {
    deploymentType: 'ProviderAMarketplace',
    settings: {
      'orgs.perOwner': 1_000_000, 'telemetry.sampleRatio': 0.25, 'orgs.allowCreate': false, 'audit.keep': '30d',
      'marketplace.alertEmails': ['a@example.com', 'b@example.com'],
    },
  } },
};
/** Values with every service. */
const hosted = { deploymentType: 'Hosted', baseURL: 'https://a.example' };
/** Values with no server in the release. */
const external = {
  postgres: { inChart: false, administrator: { secret: 'db' } },
  nats: { inChart: false, url: 'tls://nats.example.com:443' },
  openfga: { inChart: false, url: 'https://openfga.example.com' },
  secrets: { given: { name: 'mine', keys: [...natsKeys, 'openfga.presharedKey'] } },
};

const render = async (name: string) => helm.template(await valuesOf(name));
const renderOf = async (values: object, release?: string) => helm.template([await written(values)], release);

function valuesOfTutorial(): object {
  const page = readFileSync(join(repositoryRoot, 'docs/tutorials/release.md'), 'utf8');
  const [, values] = /^cat > \S+ <<YAML\n([^]*?)^YAML$/m.exec(page)!;
  return parse(values!.replaceAll('$REGISTRY', 'registry.example.com')) as object;
}

async function valuesOf(name: string) {
  const { files = [], values } = variants[name]!;
  const examples = files.map((file) => join(chart, 'examples', file));
  return values === undefined ? examples : [...examples, await written(values)];
}

async function written(values: object) {
  const path = join(folder, 'values.json');
  await writeFile(path, JSON.stringify(values));
  return path;
}

/** The error of helm; empty when it accepts the values. */
const refusalOf = async (of: Helm, values: object) =>
  of.template([await written(values)]).then(() => '', ({ stderr }: { stderr: string }) => stderr);

/** A text that YAML readers only ever read as a string. */
const plain = 'zqz';
/** Texts that YAML readers misinterpret if the chart does not quote them. */
const unlikeTexts = ['123', 'on', '1e3', 'null'];

/** The output of helm for values with a text, without names that are a hash of the rest. */
async function withText(of: Helm, text: string, values: (text: string) => object, release?: string): Promise<string> {
  const objects = await of.template([await written(values(text))], release);
  return JSON.stringify(objects).replaceAll(/(?<=["-])[0-9a-f]{8,16}(?=")/g, 'hash');
}

/** Functions of templates whose result depends on the cluster, on the time or on chance. */
const unsteady = /\b(?:lookup|now|ago|date\w*|htmlDate\w*|rand\w*|uuidv4|genPrivateKey|gen\w*Cert\w*|genCA\w*|derivePassword|shuffle|htpasswd|bcrypt|encryptAES|getHostByName|env|expandenv)\b/;

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
}
interface PodSpec {
  readonly automountServiceAccountToken?: boolean;
  readonly affinity?: { readonly podAffinity: Readonly<Record<string, readonly unknown[]>> };
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes: readonly {
    readonly name: string;
    readonly configMap?: object;
    readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly key: string }[] };
  }[];
}

const ofKind = (objects: readonly Rendered[], kind: string) => objects.filter((object) => object.kind === kind);
const named = (objects: readonly Rendered[], kind: string, part: string) =>
  ofKind(objects, kind).find(({ metadata }) => metadata.name === `acme-platform-${part}`)!;
const podIn = ({ spec }: Rendered) => (spec as { template: { spec: PodSpec } }).template.spec;
const podOf = (objects: readonly Rendered[], service: string) => podIn(named(objects, 'Deployment', service));

describe.each(Object.keys(variants))('the chart with %s', (name) => {
  it('is taken by helm lint, and its objects and pods by a real API server that enforces `restricted`', async () => {
    await helm.lint(await valuesOf(name));
    expect(await dryRun.refused(await render(name))).toEqual([]);
  });
});

it.each(Object.keys(variants))('fits the schemas of the API server, and has no field beside them: the chart with %s', async (name) => {
  const objects = await render(name);
  expect(await schemas.findings(objects)).toEqual([]);
  // The schemas refuse unknown fields.
  expect(await schemas.findings(objects.map((object) => ({ ...object, unheardOf: 1 })))).toHaveLength(objects.length);
});

it('is held against the real definitions of each optional kind, which refuse a field that they do not know', async () => {
  const objects = [
    ...await render('examples/production.yaml'), ...await render('a route of the Gateway API, scaled services, a shared volume'),
  ];
  const optional = new Map(objects.filter(({ kind }) => /^(?:Certificate|PrometheusRule|ServiceMonitor|HTTPRoute)$/.test(kind))
    .map((object) => [object.kind, object]));
  expect(optional.size).toBe(4);
  const wrong = [...optional.values()].map((object) => ({ ...object, spec: { ...object.spec as object, unheardOf: 1 } }));
  const refused = await dryRun.refused(wrong);
  expect(refused.filter((text) => /unknown field \W*spec\.unheardOf/.test(text))).toHaveLength(4);
});

it.each(unlikeTexts)('writes texts as texts, wherever values have them: %s', async (text) => {
  const values = (one: string): object => ({
    baseURL: 'https://example.com', settings: { 'labels.domain': one }, image: { tag: one, pullSecrets: [one] },
    secrets: { given: { name: one, keys: ['secrets.tokenKey', 'mail.smtpURL'] } },
    postgres: { inChart: false, administrator: { secret: one, key: one } },
    authorities: { secret: one, key: one }, priorityClassName: one, files: { volume: { storageClassName: one } },
    workload: {
      podAnnotations: { [one]: one }, nodeSelector: { [one]: one }, tolerations: [{ key: one, value: one }],
      priorityClassName: one, podLabels: { [one]: one }, serviceAccountAnnotations: { [one]: one },
      extraEnv: [{ name: 'X', value: one }], extraVolumes: [{ name: one, emptyDir: {} }],
      extraVolumeMounts: [{ name: one, mountPath: one }],
    },
    tls: { mode: 'certManager', issuer: { name: one, group: one } },
    gateway: { tlsSecret: one, service: { annotations: { [one]: one } } },
    ingress: { enabled: true, host: one, className: one, tlsSecret: one, annotations: { [one]: one } },
    httpRoute: { enabled: true, hostnames: [one], parentRefs: [{ name: one }] },
    networkPolicy: { gatewayFrom: [{ podSelector: { matchLabels: { [one]: one } } }] },
    monitoring: { serviceMonitor: true, alerts: true, dashboard: true, labels: { [one]: one } },
    test: { administrator: one },
  });
  const expected = (await withText(helm, plain, values)).replaceAll(plain, text);
  expect(JSON.parse(await withText(helm, text, values))).toEqual(JSON.parse(expected));
});

it('takes every image from the registry that the values name', async () => {
  const images = async (image: object) => {
    const text = JSON.stringify(await renderOf({ image, postgres: { image: 'docker.io/library/postgres:18' } }));
    return new Set(text.match(/(?<="image":")[^"]+/g));
  };
  const given = { repository: 'registry.example.com/platform', tag: 'x' };
  const before = await images(given);
  expect(before).toContain('registry.example.com/platform/cli:x');
  expect(before).toContain('nats:2.15.2-alpine');
  const mirrored = await images({ ...given, registry: 'mirror.example.com:5000/a' });
  expect(mirrored).toEqual(new Set([...before].map((name) =>
    `mirror.example.com:5000/a/${name.replace(/^(?:registry\.example\.com|docker\.io)\//, '')}`)));
});

it('makes every listener listen on the address that the values name', async () => {
  const objects = await renderOf({ listenAddress: '::', ...hosted });
  const listening = services.flatMap(({ name }) =>
    podOf(objects, name).containers[0]!.env.filter(({ name: key }) => /_(?:LISTEN|HOST)$/.test(key))
      .map((variable) => `${name} ${variable.name}=${variable.value}`));
  expect(listening).toEqual(services.flatMap(({ name }) => [
    `${name} PLATFORM_ADMIN_LISTEN=[::]:9090`,
    `${name} ${name === 'gateway' ? 'PLATFORM_HTTP_HOST=::' : 'PLATFORM_GRPC_LISTEN=[::]:8081'}`,
    ...(name === 'metricsproxy' ? [`${name} PLATFORM_METRICSPROXY_LISTEN=[::]:8082`] : []),
    ...(name === 'marketplace-listener' ? [`${name} PLATFORM_HTTP_HOST=::`] : []),
  ]));
  expect(JSON.stringify(objects)).toContain('"-a","::"]');
});

it('names the proxy of the values to every service, and keeps the names of this cluster away from it', async () => {
  const proxy = { url: 'http://proxy.example.com:3128', noProxy: ['10.0.0.0/8', 'intra.example.com'] };
  const objects = await renderOf({ proxy, ...hosted });
  const own = [...services.map(({ name }) => name), 'nats', 'openfga'].map((name) => `acme-platform-${name}`);
  for (const { name } of services) {
    const env = new Map(podOf(objects, name).containers[0]!.env.map((one) => [one.name, one.value]));
    expect([env.get('NODE_USE_ENV_PROXY'), env.get('HTTPS_PROXY'), env.get('HTTP_PROXY')]).toEqual(['1', proxy.url, proxy.url]);
    expect(env.get('NO_PROXY')!.split(',')).toEqual(expect.arrayContaining([...own, '.svc', '.cluster.local', ...proxy.noProxy]));
  }
  expect(JSON.stringify(await helm.template([]))).not.toContain('HTTPS_PROXY');
});

it('gives the authorities of the values to every process that connects to a server', async () => {
  const objects = await renderOf({ authorities: { configMap: 'company', key: 'all.pem' } });
  const without = objects.flatMap(({ kind, metadata, spec }) => {
    const { template } = (spec ?? {}) as { template?: { spec: PodSpec } };
    const { containers = [], initContainers = [], volumes = [] } = (template?.spec ?? {}) as Partial<PodSpec>;
    const volume = volumes.find(({ name }) => name === 'authorities');
    return [...containers, ...initContainers].filter(({ env = [], volumeMounts = [] }) => {
      const mounted = volumeMounts.some(({ name, mountPath }) => name === 'authorities' && mountPath === '/run/platform/authorities');
      const isRead = env.some(({ name, value }) => (name === 'NODE_EXTRA_CA_CERTS' && value === '/run/platform/authorities/ca.crt')
        || (name === 'SSL_CERT_DIR' && value === '/run/platform/authorities'));
      return !(mounted && isRead && JSON.stringify(volume?.configMap) === '{"name":"company","items":[{"key":"all.pem","path":"ca.crt"}]}');
    }).map(() => `${kind} ${metadata.name.replace(/-[0-9a-f]{8}$/, '')}`);
  });
  // These call only the API server of their own cluster, or nothing.
  expect(without.toSorted()).toEqual([
    'Job acme-platform-check', 'Job acme-platform-prepare', 'StatefulSet acme-platform-nats', 'StatefulSet acme-platform-postgres',
  ]);
});

it('leaves user and group ids to the cluster where the values say so, and to nobody else', async () => {
  const idsOf = async (more: object) =>
    JSON.stringify(await renderOf({ postgres: external.postgres, ...more }))
      .match(/"(?:runAsUser|runAsGroup|fsGroup)":/g) ?? [];
  expect((await idsOf({})).length).toBeGreaterThan(0);
  expect(await idsOf({ podSecurity: { userIDs: 'cluster' } })).toEqual([]);
});

it('names the images of a release by digest, and servers beside them, unless a tag of the user\'s own is given', async () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const imagesOf = async (tag: string) => {
    const digests = Object.fromEntries(['gateway', 'nats', 'cli'].map((name) => [name, digest]));
    const image = { repository: 'registry.example.com/platform', tag, digests };
    const text = JSON.stringify(await renderOf({ image, nats: { image: '' } }));
    return new Set(text.match(/(?<="image":")registry[^"]*\/(?:gateway|nats|authz)[:@][^"]*/g));
  };
  const of = (name: string, rest: string) => `registry.example.com/platform/${name}:${rest}`;
  expect(await imagesOf('mine')).toEqual(new Set(['authz', 'gateway', 'nats'].map((name) => of(name, 'mine'))));
  const named = [...await imagesOf('')].map((image) => image.replace(/:[0-9.]+/, ':version'));
  expect(new Set(named)).toEqual(new Set([
    of('authz', 'version'), of('gateway', `version@${digest}`),
    // Without the version: an upgrade does not restart a server whose image is the same.
    `registry.example.com/platform/nats@${digest}`,
  ]));
});

it('takes the digests of a release from a file of its chart, unless values replace them', async () => {
  const released = join(folder, 'released');
  await cp(chart, released, { recursive: true });
  const digest = (letter: string) => `sha256:${letter.repeat(64)}`;
  await writeFile(join(released, 'digests.yaml'), `gateway: ${digest('b')}\nauthz: ${digest('b')}\n`);
  const values = await written({ image: { repository: 'x', digests: { gateway: digest('c') } } });
  const text = JSON.stringify(await (await openHelm(released, folder)).template([values]));
  const images = text.match(/(?<="image":")x\/(?:gateway|authz|clusters):[^"]*/g)!.map((name) => name.replace(/:[0-9.]+/, ''));
  expect(new Set(images)).toEqual(new Set([`x/gateway@${digest('c')}`, `x/authz@${digest('b')}`, 'x/clusters']));
});

it.each([['platform', chart], ['cluster-agent', agentChart]])('is rendered to the same bytes twice without a cluster: %s', async (_, path) => {
  const of = await openHelm(path, folder);
  for (const file of await readdir(join(path, 'examples'))) {
    const values = [join(path, 'examples', file)];
    expect(await of.text(values)).toBe(await of.text(values));
  }
  const templates = (await readdir(join(path, 'templates'), { recursive: true })).filter((name) => /\.(?:yaml|tpl|txt)$/.test(name));
  const texts = await Promise.all(templates.map((name) => readFile(join(path, 'templates', name), 'utf8')));
  const actions = texts.flatMap((text) => text.match(/\{\{[^]*?\}\}/g) ?? []).filter((action) => !/^\{\{-? *\/\*/.test(action));
  expect(actions.length).toBeGreaterThan(50);
  expect(actions.filter((action) => unsteady.test(action))).toEqual([]);
});

it('writes the name of a release as a text', async () => {
  const objects = await renderOf({ image: { repository: 'x', pullSecrets: ['123'] } }, '123');
  expect(new Set(objects.map(({ metadata }) => metadata.labels['app.kubernetes.io/instance']))).toEqual(new Set(['123']));
  expect(await dryRun.refused(objects)).toEqual([]);
});

it('shows no secret value, and one object of each name', async () => {
  const objects = await render('examples/production.yaml');
  expect(ofKind(objects, 'Secret').filter(({ data }) => data !== undefined)).toEqual([]);
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
});

it('passes settings on as the services read them', async () => {
  const objects = await render('a marketplace with settings of every form');
  expect(named(objects, 'ConfigMap', 'settings').data).toMatchObject({
    PLATFORM_DEPLOYMENT_TYPE: 'ProviderAMarketplace', PLATFORM_ORGS_PER_OWNER: '1000000',
    PLATFORM_TELEMETRY_SAMPLE_RATIO: '0.25', PLATFORM_ORGS_ALLOW_CREATE: 'false', PLATFORM_AUDIT_KEEP: '30d',
    PLATFORM_MARKETPLACE_ALERT_EMAILS: 'a@example.com,b@example.com',
  });
});

it('restarts no server of the release when the platform is upgraded', async () => {
  const servers = async (tag: string) => (await renderOf({ image: { tag } })).filter(({ kind, metadata }) =>
    /StatefulSet|Deployment/.test(kind) && /-(?:postgres|nats|openfga)$/.test(metadata.name)).map(({ spec }) => spec);
  const before = await servers('1.0.0');
  expect(before).toHaveLength(3);
  expect(await servers('1.0.1')).toEqual(before);
});

it('stops no pod of an upgrade before its successor is ready, also where only one node has its volume', async () => {
  const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'rack' }] } };
  const objects = await renderOf({ services: { 'orgs-teams': { affinity } } });
  const strategies = ofKind(objects, 'Deployment').filter(({ metadata }) => !metadata.name.endsWith('-openfga'))
    .map(({ spec }) => JSON.stringify((spec as { strategy: unknown }).strategy));
  const rolling = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  expect(new Set(strategies)).toEqual(new Set([JSON.stringify(rolling)]));
  expect(podOf(objects, 'orgs-teams').affinity?.podAffinity.requiredDuringSchedulingIgnoredDuringExecution).toEqual([
    { topologyKey: 'rack' },
    {
      topologyKey: 'kubernetes.io/hostname',
      labelSelector: { matchLabels: {
        'app.kubernetes.io/name': 'platform', 'app.kubernetes.io/instance': 'acme',
        'app.kubernetes.io/component': 'orgs-teams',
      } },
    },
  ]);
  expect(podOf(objects, 'clusters').affinity).toBeUndefined();
});

it('tells the gateway at once that it stops, and the other services when no call is sent to them any more', async () => {
  const objects = await renderOf({ workload: { drainSeconds: 120, stopSeconds: 600 }, ...hosted });
  const told = services.map(({ name }) => {
    const [{ env, lifecycle }] = podOf(objects, name).containers as [Container];
    const value = (wanted: string) => env.find((variable) => variable.name === wanted)?.value;
    return [name, value('PLATFORM_STOP_DELAY'), value('PLATFORM_STOP_TIMEOUT'), lifecycle?.preStop.sleep.seconds];
  });
  expect(told).toEqual(services.map(({ name }) => name === 'gateway'
    // 600 s is the maximum of the setting `stop.timeout`.
    ? [name, '120s', '600s', undefined]
    : [name, undefined, '600s', 120]));
});

it('runs the listener where its routes exist, and nowhere else', async () => {
  const deployments = async (deploymentType: string) =>
    ofKind(await renderOf({ ...hosted, deploymentType }), 'Deployment').map(({ metadata }) => metadata.name);
  const all = services.map(({ name }) => `acme-platform-${name}`);
  expect(await deployments('Hosted')).toEqual(expect.arrayContaining(all));
  expect(await deployments('SelfHostedProduction')).not.toContain('acme-platform-marketplace-listener');
});

it('gives each pod its own secrets and no others, and no token of the API server', async () => {
  const objects = await render('examples/production.yaml');
  for (const service of services) {
    const { containers: [container], volumes, automountServiceAccountToken } = podOf(objects, service.name);
    expect(automountServiceAccountToken).toBe(false);
    const mounted = volumes.flatMap(({ secret }) => (secret === undefined ? [] : [secret]));
    const names = mounted.map(({ secretName }) => secretName).filter((name) => name !== 'platform-given');
    expect(names).toEqual([`acme-platform-${service.name}`, `acme-platform-${service.name}-tls`]);
    const given = mounted.find(({ secretName }) => secretName === 'platform-given');
    const own: readonly string[] = secretsOf(service);
    // A volume without `items` would contain every key.
    if (given !== undefined) expect(given.items?.length).toBeGreaterThan(0);
    expect((given?.items ?? []).filter(({ key }) => !own.includes(key))).toEqual([]);
    const files = container!.env.filter(({ name }) => name.endsWith('_FILE') && name !== 'PLATFORM_CONFIG_FILE');
    expect(files.map(({ name }) => name).toSorted())
      .toEqual((given?.items ?? []).map(({ key }) => `${environmentName(key)}_FILE`).toSorted());
  }
});

it('lets the set-up fill the Secrets of this release by name, and read nothing else', async () => {
  const objects = await render('the defaults');
  const resourceNames = ofKind(objects, 'Secret').map(({ metadata }) => metadata.name);
  expect(named(objects, 'Role', 'setup').rules)
    .toEqual([{ apiGroups: [''], resources: ['secrets'], resourceNames, verbs: ['get', 'patch'] }]);
  expect(named(objects, 'Secret', 'state').metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' });
  // A Job as a hook would wait for servers that in turn wait for the Job.
  const jobs = ofKind(objects, 'Job').filter(({ metadata }) => !metadata.name.endsWith('-check'));
  expect(jobs.map(({ metadata }) => metadata.name.replace(/-[0-9a-f]{8}$/, '')))
    .toEqual(['acme-platform-prepare', 'acme-platform-migrate']);
  for (const { metadata } of jobs) expect(metadata.annotations).toBeUndefined();
});

it('permits the connections between services that the product makes, in both directions, and no others', async () => {
  const rows = await chartRows();
  const policies = ofKind(await renderOf(hosted), 'NetworkPolicy');
  const arrows = (direction: 'ingress' | 'egress') => policies.flatMap(({ metadata, spec }) => {
    const own = metadata.labels['app.kubernetes.io/component']!;
    const rules = (spec as Readonly<Record<string, readonly Rule[]>>)[direction] ?? [];
    return rules.flatMap(({ from, to, ports = [] }) => (from ?? to ?? []).flatMap(({ podSelector }) => {
      const other = podSelector?.matchLabels['app.kubernetes.io/component'];
      if (other === undefined) return [];
      const [caller, callee] = direction === 'ingress' ? [other, own] : [own, other];
      return ports.map(({ port }) => `${caller} -> ${callee} ${port}`);
    }));
  }).filter((arrow) => !arrow.startsWith('cli ')).toSorted();
  const expected = [
    ...rows.flatMap(({ name, calls }) => calls.map((callee) => `${name} -> ${callee} grpc`)),
    ...rows.filter(({ passes }) => passes !== undefined).map(({ name }) => `gateway -> ${name} http`),
    ...rows.filter(({ postgres }) => postgres).map(({ name }) => `${name} -> postgres 5432`),
    ...rows.filter(({ nats }) => nats).map(({ name }) => `${name} -> nats 4222`),
    ...rows.filter(({ openfga }) => openfga).map(({ name }) => `${name} -> openfga 8080`),
    'setup -> postgres 5432', 'openfga -> postgres 5432',
  ].toSorted();
  expect(arrows('ingress')).toEqual(expected);
  expect(arrows('egress')).toEqual(expected);
});

it('names services to each other by Services that resolve to all pods, also in a release with a long name', async () => {
  const objects = await renderOf(hosted, 'a'.repeat(50));
  const headless = new Set(ofKind(objects, 'Service')
    .filter(({ spec }) => (spec as { clusterIP?: string }).clusterIP === 'None').map(({ metadata }) => metadata.name));
  const addresses = ofKind(objects, 'Deployment').flatMap((deployment) => podIn(deployment).containers
    .flatMap(({ env = [] }) => env.filter(({ name }) => name.startsWith('PLATFORM_SERVICES_'))));
  expect(addresses.length).toBeGreaterThan(20);
  expect(addresses.filter(({ value }) => !headless.has(value.replace(/:8081$/, '')))).toEqual([]);
  expect(await dryRun.refused(objects)).toEqual([]);
});

it('lets other teams call services over gRPC where the values say so, and nothing else', async () => {
  const peer = { namespaceSelector: { matchLabels: { team: 'other' } } };
  const policies = ofKind(await renderOf({ networkPolicy: { grpcFrom: [peer] } }), 'NetworkPolicy');
  const open = policies.flatMap(({ metadata, spec }) => {
    const { ingress = [] } = spec as { ingress?: readonly Rule[] };
    return ingress.filter(({ from = [] }) => from.some((one) => isDeepStrictEqual(one, peer)))
      .map(({ ports }) => `${metadata.labels['app.kubernetes.io/component']} ${JSON.stringify(ports)}`);
  });
  const served = services.filter(({ name }) => !/^(?:gateway|marketplace-listener)$/.test(name));
  expect(open.toSorted()).toEqual(served.map(({ name }) => `${name} [{"port":"grpc"}]`).toSorted());
});

it('lets the set-up and the services reach ports that the values name', async () => {
  const objects = await renderOf({
    ...external, postgres: { ...external.postgres, port: 6432 },
    nats: { inChart: false, url: 'tls://user:word@a.example.com,nats://[fd00::1]:4333' },
    networkPolicy: { apiServerPorts: [443, 16443] },
  });
  // Ports without a name belong to servers.
  const portsFrom = (part: string) => {
    const { egress } = named(objects, 'NetworkPolicy', part).spec as { egress: readonly Rule[] };
    return egress.flatMap(({ ports = [] }) => ports.flatMap(({ port }) => (typeof port === 'number' ? [port] : [])));
  };
  expect(portsFrom('setup')).toEqual([443, 16443, 6432]);
  expect(portsFrom('orgs-teams')).toEqual([6432, 4222, 4333]);
  expect(portsFrom('authz')).toEqual([443]);
});

describe('services that call what customers name', () => {
  const callers = ['clusters', 'metricsproxy'];
  const metadata = ['169.254.0.0/16', '100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32'];
  const metadata6 = ['fe80::/10', 'fd00:ec2::/32', 'fd20:ce::254/128'];
  const outside = (four: readonly string[], six: readonly string[]) => [
    { ipBlock: { cidr: '0.0.0.0/0', except: [...metadata, ...four] } },
    { ipBlock: { cidr: '::/0', except: [...metadata6, ...six] } },
  ];
  const usual = outside(['10.244.0.0/16', '10.96.0.0/12', '10.42.0.0/15'], ['fd00:10:244::/56', 'fd00:10:96::/112']);
  const dns: Rule = { ports: [{ port: 53, protocol: 'UDP' }, { port: 53, protocol: 'TCP' }] };
  // With no server in the release, rules name peers by network.
  const elsewhere = { ...external, settings: { 'telemetry.endpoint': 'https://collector.example.com' } };

  /** The egress rules of all policies that select a service's pods, without those that name pods of the release. */
  async function rulesOf(service: string, values: object): Promise<readonly Rule[]> {
    const objects = await renderOf(values);
    const { labels } = named(objects, 'Deployment', service).metadata;
    return ofKind(objects, 'NetworkPolicy').flatMap(({ spec }) => {
      const { podSelector: { matchLabels }, egress = [] } = spec as {
        podSelector: { matchLabels: object }; egress?: readonly Rule[];
      };
      return Object.entries(matchLabels).every(([key, value]) => labels[key] === value) ? egress : [];
    }).filter(({ to }) => to?.some(({ podSelector }) => podSelector !== undefined) !== true);
  }

  async function deniedBy(values: object): Promise<unknown> {
    const { data } = named(await renderOf(values), 'ConfigMap', 'settings');
    return callers.map((service) => data![`PLATFORM_${service.toUpperCase()}_DENIED_CIDRS`]);
  }

  it.each(callers)('are kept away from the usual networks of clusters and from metadata addresses: %s', async (service) => {
    expect(await rulesOf(service, {})).toEqual([dns, { to: usual }]);
  });

  it.each(callers)('are kept away from the networks that the values name: %s', async (service) => {
    const [four, six] = ['10.200.0.0/16', 'fd00:200::/64'] as const;
    expect(await rulesOf(service, { clusterNetworks: [four, six] })).toEqual([dns, { to: outside([four], [six]) }]);
  });

  it('refuse the same networks themselves, unless a setting says otherwise', async () => {
    const networks = '10.244.0.0/16,10.96.0.0/12,10.42.0.0/15,fd00:10:244::/56,fd00:10:96::/112';
    expect(await deniedBy({})).toEqual([networks, networks]);
    expect(await deniedBy({ clusterNetworks: ['10.200.0.0/16'] })).toEqual(['10.200.0.0/16', '10.200.0.0/16']);
    const settings = { 'metricsproxy.deniedCIDRs': '192.0.2.0/24' };
    expect(await deniedBy({ settings })).toEqual([networks, '192.0.2.0/24']);
  });

  // Policies add up: a rule without peers would open its port everywhere.
  it.each(callers)('get no port of these networks by servers and a collector outside the release: %s', async (service) => {
    const [postgres, nats, collector] = [5432, 443, 443].map((port) => ({ ports: [{ port }], to: usual }));
    expect(await rulesOf(service, elsewhere)).toEqual([dns, postgres, nats, collector, { to: usual }]);
  });

  it('are not the only ones: no pods but those that call the API server reach a port anywhere', async () => {
    const anywhere = ofKind(await renderOf(elsewhere), 'NetworkPolicy').flatMap(({ metadata: { name }, spec }) => {
      const { egress = [] } = spec as { egress?: readonly Rule[] };
      return egress.flatMap(({ to, ports = [] }) => (to === undefined ? [[name, ...ports.map(({ port }) => port)]] : []));
    });
    expect(anywhere.toSorted())
      .toEqual([['acme-platform', 53, 53], ['acme-platform-check', 443, 6443], ['acme-platform-setup', 443, 6443]]);
  });

  it.each(callers)('reach servers and a collector where the values say: %s', async (service) => {
    const peers = (name: string) => [{ namespaceSelector: { matchLabels: { name } } }];
    const networkPolicy = { serversTo: peers('servers'), telemetryTo: peers('monitoring'), outsideTo: peers('mail') };
    expect(await rulesOf(service, { ...elsewhere, networkPolicy })).toEqual([
      dns, { ports: [{ port: 5432 }], to: peers('servers') }, { ports: [{ port: 443 }], to: peers('servers') },
      { ports: [{ port: 443 }], to: peers('monitoring') }, { to: peers('mail') },
    ]);
  });
});

interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly port: string | number; readonly protocol?: string }[];
}
interface Peer {
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
  readonly podSelector?: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly namespaceSelector?: object;
}

it.each(refusedValues)('refuses %s before anything is made', async (_, values, where, why) => {
  const refusal = await refusalOf(helm, values);
  for (const part of [where, why]) expect(refusal).toContain(part);
});

describe('the chart of the agent', () => {
  const example = join(agentChart, 'examples/values.yaml');
  let agent: Helm;
  beforeAll(async () => {
    agent = await openHelm(agentChart, folder);
  }, buildMs);

  it('is taken by helm lint, and its objects and pods by a real API server that enforces `restricted`', async () => {
    await agent.lint([example]);
    const objects = await agent.template([example]);
    expect(await dryRun.refused(objects)).toEqual([]);
    expect(await schemas.findings(objects)).toEqual([]);
  });

  it.each(unlikeTexts)('writes texts as texts, wherever values have them, and the name of its release: %s', async (text) => {
    const values = (one: string) => ({
      image: { tag: one, pullSecrets: [one] }, owner: one, product: one, secret: one,
      natsURL: 'tls://bus.example.com:4222', labelsDomain: one,
      // A plural must begin with a letter.
      resources: [{ group: one, version: 'v1', kind: 'Database', plural: /^[a-z]/.test(text) ? one : 'databases' }],
      state: { storageClassName: one }, authorities: { secret: one, key: one }, extraEnv: [{ name: 'X', value: one }],
      nodeSelector: { [one]: one }, tolerations: [{ key: one, value: one }],
    });
    const expected = (await withText(agent, plain, values, plain)).replaceAll(plain, text);
    const objects = await withText(agent, text, values, text);
    expect(JSON.parse(objects)).toEqual(JSON.parse(expected));
    expect(await dryRun.refused(JSON.parse(objects) as Rendered[])).toEqual([]);
  });

  it('listens, trusts and is pulled as the values say', async () => {
    const path = await written({
      listenAddress: '::', image: { registry: 'mirror.example.com' }, authorities: { configMap: 'company' },
      priorityClassName: 'system-cluster-critical', extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example.com:3128' }],
    });
    const objects = await agent.template([example, path]);
    expect(await dryRun.refused(objects)).toEqual([]);
    const [deployment] = ofKind(objects, 'Deployment');
    const [{ env, image }] = podIn(deployment!).containers as unknown as [Container & { image: string }];
    expect(image).toMatch(/^mirror\.example\.com\/platform\/cluster-agent:/);
    expect(env).toEqual(expect.arrayContaining([
      { name: 'PLATFORM_ADMIN_LISTEN', value: '[::]:9090' },
      { name: 'NODE_EXTRA_CA_CERTS', value: '/run/agent/authorities/ca.crt' },
      { name: 'HTTPS_PROXY', value: 'http://proxy.example.com:3128' },
    ]));
  });

  it('may read what it reports, and change nothing', async () => {
    const { rules } = (await agent.template([example])).find(({ kind }) => kind === 'ClusterRole')!;
    expect(new Set(rules!.flatMap(({ verbs }) => verbs!))).toEqual(new Set(['get', 'list', 'watch']));
    const resources = rules!.flatMap(({ resources: names }) => names!);
    expect(resources).toContain('databases');
    expect(resources).not.toContain('secrets');
  });

  it('is refused without what it needs, all of it named', async () => {
    const refusal = await refusalOf(agent, { renewLicense: true });
    for (const name of ['owner', 'product', 'secret', 'natsURL', 'baseURL']) expect(refusal).toContain(name);
  });
});
