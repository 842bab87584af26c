/** An invalid values file, and the expected error. */
export interface RefusedValues {
  readonly values: object;
  /** Substrings of the error: the value and the reason. */
  readonly says: readonly [where: string, why: string];
}

const external = { inChart: false };
const natsKeys = ['nats.credentials', 'nats.systemCredentials', 'nats.accountSeed', 'nats.operatorSeed'];

/** Wrong values files of the chart `platform`. */
export const refusedValues: Readonly<Record<string, RefusedValues>> = {
  'an unknown value': { values: { replicas: 3 }, says: ['replicas', 'not allowed'] },
  'an unknown service': { values: { services: { gatway: {} } }, says: ['gatway', 'not allowed'] },
  'an unknown setting': { values: { settings: { 'orgs.perOnwer': 3 } }, says: ['orgs.perOnwer', 'not allowed'] },
  'a setting that the chart decides': {
    values: { settings: { 'grpc.listen': '0.0.0.0:1' } }, says: ['grpc.listen', 'not allowed'],
  },
  'a secret among the settings': {
    values: { settings: { 'mail.smtpURL': 'smtps://a:b@c' } }, says: ['mail.smtpURL', 'not allowed'],
  },
  'a word for a number': {
    values: { settings: { 'orgs.perOwner': 'many' } }, says: ['/settings/orgs.perOwner', 'want integer'],
  },
  'a number below its least': {
    values: { settings: { 'orgs.perOwner': 0 } }, says: ['/settings/orgs.perOwner', 'minimum'],
  },
  'a fraction for a whole number': {
    values: { settings: { 'bus.shards': 1.5 } }, says: ['/settings/bus.shards', 'want integer'],
  },
  'a duration without a unit': {
    values: { settings: { 'http.requestTimeout': '30' } }, says: ['/settings/http.requestTimeout', 'pattern'],
  },
  'a text for a flag': {
    values: { settings: { 'orgs.allowCreate': 'yes' } }, says: ['/settings/orgs.allowCreate', 'want boolean'],
  },
  'a name of a store that is too short': {
    values: { settings: { 'openfga.storeName': 'p' } }, says: ['/settings/openfga.storeName', 'pattern'],
  },
  'a name of a store with a character that OpenFGA refuses': {
    values: { settings: { 'openfga.storeName': 'a:b' } }, says: ['/settings/openfga.storeName', 'pattern'],
  },
  'an unknown word': {
    values: { settings: { 'log.level': 'loud' } },
    says: ['/settings/log.level', 'one of'],
  },
  'an endpoint without a scheme': {
    values: { settings: { 'telemetry.endpoint': 'collector:4318' } }, says: ['/settings/telemetry.endpoint', 'pattern'],
  },
  'a share above 1': {
    values: { settings: { 'telemetry.sampleRatio': 2 } }, says: ['/settings/telemetry.sampleRatio', 'maximum'],
  },
  'an unknown deployment type': { values: { deploymentType: 'hosted' }, says: ['/deploymentType', 'one of'] },
  'a base URL without a scheme': { values: { baseURL: 'platform.example.com' }, says: ['/baseURL', 'pattern'] },
  'a base URL with a slash at its end': { values: { baseURL: 'https://example.com/' }, says: ['/baseURL', 'pattern'] },
  'a hosted platform without its address': { values: { deploymentType: 'Hosted' }, says: ['Hosted', 'baseURL'] },
  'an image with upper case': {
    values: { image: { repository: 'Registry/Platform' } },
    says: ['/image/repository', 'pattern'],
  },
  'a pull policy in lower case': { values: { image: { pullPolicy: 'always' } }, says: ['/image/pullPolicy', 'one of'] },
  'no replicas': { values: { workload: { replicas: 0 } }, says: ['/workload/replicas', 'minimum'] },
  'a text for replicas': { values: { workload: { replicas: '2' } }, says: ['/workload/replicas', 'want integer'] },
  'memory without a unit of Kubernetes': {
    values: { workload: { resources: { limits: { memory: '512MB' } } } },
    says: ['/workload/resources/limits/memory', 'pattern'],
  },
  'more pods at least than at most': {
    values: { services: { authz: { autoscaling: { enabled: true, minReplicas: 5, maxReplicas: 3 } } } },
    says: ['authz', 'minReplicas (5) is more than maxReplicas (3)'],
  },
  'several replicas on a volume of one node': {
    values: { services: { 'orgs-teams': { replicas: 2 } } }, says: ['services.orgs-teams', 'volume of one node'],
  },
  'a scaled service on a volume of one node': {
    values: { services: { 'contracts-licensing': { autoscaling: { enabled: true } } } },
    says: ['services.contracts-licensing', 'volume of one node'],
  },
  'a listener where none runs': {
    values: { services: { 'marketplace-listener': { replicas: 2 } } },
    says: ['services.marketplace-listener', 'runs no listener'],
  },
  'PostgreSQL elsewhere without an administrator': {
    values: { postgres: external }, says: ['postgres.administrator.secret', 'names no Secret'],
  },
  'an administrator of the PostgreSQL in the release': {
    values: { postgres: { administrator: { secret: 'db' } } }, says: ['postgres.administrator', 'inChart is true'],
  },
  'user ids of the cluster for the PostgreSQL in the release': {
    values: { podSecurity: { userIDs: 'cluster' } }, says: ['podSecurity.userIDs', 'postgres.inChart is true'],
  },
  'NATS elsewhere without an address': { values: { nats: external }, says: ['nats.url', 'is empty'] },
  'NATS elsewhere without its seeds': {
    values: { nats: { ...external, url: 'nats://nats:4222' } }, says: ['secrets.given.keys', 'nats.operatorSeed'],
  },
  'an address of the NATS in the release': {
    values: { nats: { url: 'nats://nats:4222' } },
    says: ['nats.url', 'inChart is true'],
  },
  'an address of NATS over HTTP': {
    values: { nats: { ...external, url: 'http://nats' } },
    says: ['/nats/url', 'pattern'],
  },
  'OpenFGA elsewhere without its key': {
    values: { openfga: { ...external, url: 'http://openfga:8080' } },
    says: ['secrets.given.keys', 'openfga.presharedKey'],
  },
  'keys of no Secret': {
    values: { secrets: { given: { keys: natsKeys } } },
    says: ['secrets.given.name', 'no Secret'],
  },
  'a Secret without keys': {
    values: { secrets: { given: { name: 'mine' } } },
    says: ['secrets.given.keys', 'none of its keys'],
  },
  'a key that is no secret': {
    values: { secrets: { given: { name: 'mine', keys: ['log.level'] } } }, says: ['/secrets/given/keys/0', 'one of'],
  },
  'no made secrets for a server of the release': {
    values: { secrets: { make: false } }, says: ['postgres.inChart', 'secrets.make'],
  },
  'a bucket without an address': {
    values: { files: { store: 's3' } },
    says: ['files.store is s3', 'files.s3.endpoint'],
  },
  'keys of a bucket beside an identity': {
    values: {
      files: { store: 's3', workloadIdentity: true },
      settings: { 'files.s3.endpoint': 'https://s3.example.com', 'files.s3.bucket': 'files' },
      secrets: { given: { name: 'mine', keys: ['files.s3.accessKey'] } },
    },
    says: ['files.workloadIdentity is true', 'files.s3.accessKey'],
  },
  'authorities at two places': {
    values: { authorities: { configMap: 'a', secret: 'b' } }, says: ['authorities.configMap', 'both set'],
  },
  'a proxy in this cluster that no policy permits': {
    values: { proxy: { url: 'http://squid.egress.svc:3128' } },
    says: ['proxy.url names squid.egress.svc:3128', 'networkPolicy.outsideTo'],
  },
  'a proxy with credentials in its address': {
    values: { proxy: { url: 'http://user:word@squid.example.com:3128' } }, says: ['/proxy/url', 'pattern'],
  },
  'a variable of the chart': {
    values: { workload: { extraEnv: [{ name: 'PLATFORM_LOG_LEVEL', value: 'debug' }] } },
    says: ['extraEnv names PLATFORM_LOG_LEVEL', 'use settings'],
  },
  'a volume of the chart': {
    values: { services: { gateway: { extraVolumes: [{ name: 'tmp', emptyDir: {} }] } } },
    says: ['gateway: extraVolumes names tmp', 'volume of the chart'],
  },
  'a label of the chart': {
    values: { workload: { podLabels: { 'app.kubernetes.io/name': 'x' } } },
    says: ['podLabels names app.kubernetes.io/name', 'the chart sets'],
  },
  'a volume without a name': {
    values: { workload: { extraVolumes: [{ emptyDir: {} }] } }, says: ['/workload/extraVolumes/0', 'name'],
  },
  'an address to listen on that is not every one': {
    values: { listenAddress: '127.0.0.1' }, says: ['/listenAddress', 'one of'],
  },
  'no port of DNS': { values: { networkPolicy: { dnsPorts: [] } }, says: ['/networkPolicy/dnsPorts', 'minItems'] },
  'certificates without an issuer': { values: { tls: { mode: 'certManager' } }, says: ['tls.issuer.name', 'is empty'] },
  'an Ingress without a host': {
    values: { ingress: { enabled: true }, baseURL: 'https://example.com' }, says: ['ingress.host', 'is empty'],
  },
  'a route without a Gateway': {
    values: { httpRoute: { enabled: true }, baseURL: 'https://example.com' },
    says: ['httpRoute.parentRefs', 'is empty'],
  },
  'no port of the API server': {
    values: { networkPolicy: { apiServerPorts: [] } }, says: ['/networkPolicy/apiServerPorts', 'minItems'],
  },
  'a collector in this cluster that no policy permits': {
    values: { settings: { 'telemetry.endpoint': 'http://collector.monitoring.svc:4318' } },
    says: ['settings.telemetry.endpoint names collector.monitoring.svc:4318', 'networkPolicy.telemetryTo'],
  },
  'a NATS in this cluster that no policy permits': {
    values: { nats: { ...external, url: 'nats://user:word@nats:4222' } },
    says: ['nats.url names nats:4222', 'networkPolicy.serversTo'],
  },
  'an OpenFGA in this cluster that no policy permits': {
    values: { openfga: { ...external, url: 'http://openfga.openfga.svc.cluster.local:8080' } },
    says: ['openfga.url names openfga.openfga.svc.cluster.local:8080', 'networkPolicy.serversTo'],
  },
  'an invalid network': {
    values: { networkPolicy: { outsideTo: [{ ipBlock: { cidr: 'everywhere' } }] } },
    says: ['/networkPolicy/outsideTo/0/ipBlock/cidr', 'pattern'],
  },
};
