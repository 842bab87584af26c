import { accountSettings } from './account-settings.ts';
import { agentSettings } from './agent-settings.ts';
import { backingSettings } from './backing-settings.ts';
import { busSettings } from './bus-settings.ts';
import { launcherSettings } from './launcher-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { marketplaceSettings } from './marketplace-settings.ts';
import { metricsSettings } from './metrics-settings.ts';
import { type AddressKey, grpcServices } from './services.ts';
import { defaulted, given, type Setting } from './setting.ts';
import {
  address, addressList, auto, cidr, duration, flag, integer, listOf, oneOf, port, secret, secretUrl, sha256,
  share, text, url,
} from './setting-kinds.ts';

/** Log levels, most detailed first. */
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export type { Setting };

const autoOnOff = oneOf('auto', 'on', 'off');
const http = url('http', 'https');

/** A setting for each gRPC service, with the addresses of the service. */
const addressSettings = Object.fromEntries(grpcServices.map(({ name, addresses }) => {
  return [addresses, given(addressList, `Addresses of the replicas of ${name}; a host name stands for all of its addresses.`)];
})) as Readonly<Record<AddressKey, Setting<readonly string[], false>>>;

/** All settings by dotted key. Settings of open-points 15 have the names and defaults that are given there. */
export const settings = {
  // The kind of deployment (open-points 1.1)
  'deployment.type': defaulted(
    oneOf(
      'Hosted',
      'SelfHostedProduction',
      'CloudDemo',
      'OnpremDemo',
      'KubeAppDemo',
      'ProviderAMarketplace',
      'ProviderBMarketplace',
      'ProviderCMarketplace',
    ),
    'SelfHostedProduction',
    'The kind of the deployment, which decides which routes exist. `npm start` sets `Hosted`.',
  ),
  'deployment.offlineInstaller': defaulted(flag, 'false', 'Whether installers must work without the internet.'),
  'run.mode': defaulted(
    oneOf('prod', 'dev', 'test'),
    'prod',
    '`dev` and `test` switch rate limits off by default, and accept `http://` in `managerManagementClusterEndPoint`. '
    + '`npm start` sets `dev`.',
  ),

  // HTTP at the gateway
  'http.baseURL': given(http, 'The address under which people reach the platform. Unset: `http://127.0.0.1:{port}`.'),
  'http.host': defaulted(text, '127.0.0.1', 'The interface on which the gateway and the marketplace listener listen.'),
  'http.port': defaulted(port, '0', 'The port on which the gateway listens; 0 chooses a free port.'),
  'http.trustedProxies': defaulted(listOf(cidr), '', 'Networks of proxies whose `X-Forwarded-For` is trusted.'),
  'http.requestTimeout': defaulted(duration(100, 600_000), '30s', 'How long one request may take at the gateway.'),
  'http.tls.certificate': given(text, 'Path of the certificate chain (PEM). With the private key, it enables HTTPS.'),
  'http.tls.key': given(text, 'Path of the private key (PEM).'),

  // Between services
  'grpc.listen': defaulted(address, '127.0.0.1:0', 'Address for gRPC of a service; port 0 chooses a free port.'),
  'grpc.reflection': defaulted(
    auto,
    'auto',
    'Server reflection, for grpcurl and similar tools. `auto`: on in run mode `dev`.',
  ),
  'grpc.tls.ca': given(
    text,
    'Path of the authority (PEM) that signs the certificates of services. Mutual TLS needs `grpc.tls.ca`, '
    + '`grpc.tls.certificate` and `grpc.tls.key`.',
  ),
  'grpc.tls.certificate': given(text, "Path of this service's certificate (PEM), which names it: `URI:spiffe://platform/service/orgs-teams`."),
  'grpc.tls.key': given(text, "Path of this service's private key (PEM)."),
  'admin.listen': defaulted(address, '127.0.0.1:0', 'Address of a service for `/livez`, `/readyz` and `/metrics`.'),
  ...addressSettings,
  'stop.delay': defaulted(
    duration(0, 600_000), '0s',
    'How long the gateway accepts requests after the stop signal while it reports that it is not ready, so that load '
    + 'balancers stop sending requests; part of `stop.timeout`.',
  ),
  'stop.silence': defaulted(
    duration(10, 60_000), '1s',
    'How long a stopping HTTP server waits for requests that are on their way to it; part of `stop.timeout`.',
  ),
  'stop.timeout': defaulted(
    duration(0, 600_000), '10s',
    'How long a service may take to finish accepted work. `npm start` sets `4s`, and stops the gateway first, '
    + 'then the other services, then the backing servers.',
  ),

  // Secrets
  'secrets.encryptionKeys': given(
    listOf(secret),
    'The first key encrypts, all keys decrypt. To change keys: docs/runbook.md. The launcher creates the first key.',
  ),
  'secrets.tokenKey': given(secret, 'Key of hashes of tokens, sessions and sign-in codes. The launcher creates it.'),
  'secrets.serviceCredential': given(secret, 'Credential of calls between services. The launcher creates it.'),
  'secrets.operatorCredential': given(
    secret,
    "The credential with which the operator's CLI calls services. For the launcher, which creates it; services get "
    + '`secrets.operatorVerifier`.',
  ),
  'secrets.operatorVerifier': given(
    sha256,
    'SHA-256 of the operator credential, by which services recognize the credential. The launcher computes it. Unset: '
    + 'services accept no operator.',
  ),
  'secrets.adminToken': given(
    secret, 'Access token of the site admin that is created at the first start. The launcher creates the token.',
  ),

  ...backingSettings,

  // Observability
  'log.level': defaulted(oneOf(...logLevels), 'info', 'Lowest level of the log lines that are written.'),
  'telemetry.endpoint': given(
    http,
    'Base address of an OTLP/HTTP collector, e.g. `http://127.0.0.1:4318`; enables traces.',
  ),
  'telemetry.headers': defaulted(listOf(secret), '', 'Headers for the collector, each `name=value`.'),
  'telemetry.sampleRatio': defaulted(share, '1', 'The share of traces that is recorded.'),

  // Organizations, users
  'orgs.allowCreate': defaulted(flag, 'true', 'Whether users may create organizations.'),
  'orgs.perOwner': defaulted(
    integer(1, 1_000_000),
    '50',
    'A user who owns this many organizations may not create further ones. Site admins are unlimited.',
  ),
  'orgs.teamsPerOrganization': defaulted(integer(1, 100_000), '1000', 'Maximum number of teams of an organization.'),
  'orgs.administrative': defaulted(
    text,
    'administration',
    'Name of the administrative organization, which is created at the first start.',
  ),
  'clusters.unproven': defaulted(
    integer(0, 1_000_000),
    '20',
    'Maximum number of clusters that an account may import or use for trial licences without a kubeconfig and without '
    + 'contact of an agent.',
  ),
  'audit.keep': defaulted(duration(60_000, 3_660 * 86_400_000), '400d', 'How long the audit is kept.'),
  ...accountSettings,
  'leases.enabled': defaulted(
    flag,
    'true',
    'Whether services keep the identity of callers in memory, under leases ([rules](rules/leases.md)). Needs NATS.',
  ),
  'leases.lifetime': defaulted(
    duration(500, 60_000), '3s',
    'How long a lease lasts. A change waits at most this long for a replica that does not answer.',
  ),
  'avatars.lookupURL': given(http, 'Address of a service that returns avatars by the hash of an e-mail address.'),
  'mail.domain': given(text, 'Domain of addresses that replace private addresses. Unset: the host of `http.baseURL`.'),
  'mail.smtpURL': given(
    secretUrl('smtp', 'smtps'),
    'The SMTP server that sends mails, `smtps://user:password@host`. A password needs TLS. Unset: mails are kept as '
      + 'files in `mail` in `home`.',
  ),
  'mail.from': given(text, 'Sender of mails. Unset: `no-reply@` and `mail.domain`.'),

  // Licences, billing
  'billing.enabled': defaulted(auto, 'auto', 'Whether billing is enabled; `auto`: on for `Hosted`.'),
  'license.trial': defaulted(autoOnOff, 'auto', 'Whether trial licences are issued; `auto`: on for `Hosted`.'),
  'license.selfRegistration': defaulted(autoOnOff, 'auto', 'Whether `POST /register` is permitted.'),
  'license.ca': given(secret, 'Certificate and key (PEM) that sign licences.'),
  'license.keyType': defaulted(oneOf('ecdsa', 'rsa'), 'ecdsa', 'Kind of the keys in licences.'),
  'license.emailDomain': defaulted(text, 'id.platform.dev', 'Domain of the e-mail addresses in licences.'),
  'license.registerReply': defaulted(
    oneOf('empty', 'credentials'), 'empty',
    'What `POST /register` answers. `credentials`: new bus credentials; the previous credentials of the agent become '
    + 'invalid. Anybody with a licence file can then get credentials.',
  ),
  'licenseProxy.chart': defaulted(
    text,
    'license-proxyserver',
    'Chart of the licence proxy: `oci://{host}/{path}/{chart}`, `{repository}/{chart}`, or `{chart}`.',
  ),
  'licenseProxy.namespace': defaulted(text, 'kubeops', 'Namespace of the licence proxy in member clusters.'),

  'labels.domain': defaulted(
    text,
    'platform.dev',
    'Domain of the labels and annotations that the platform puts on objects in clusters.',
  ),
  'gateway.defaultPreset': defaulted(
    text,
    '',
    'Gateway of client organizations that name no gateway: `{namespace}/{name}` of a shared gateway.',
  ),

  'clusters.deniedCIDRs': defaulted(
    listOf(cidr), '',
    'Networks in which the API server of an imported cluster is not permitted. Checked at the import and at every '
    + 'connection.',
  ),
  'clusters.allowedCIDRs': defaulted(
    listOf(cidr), '',
    'Exceptions from `clusters.deniedCIDRs`, and from the denial of loopback (for `platform lab`) and other special '
    + 'networks.',
  ),

  'webhooks.allowedCIDRs': defaulted(
    listOf(cidr), '', 'Networks that are not public, but in which receivers of webhooks are permitted.',
  ),
  'webhooks.ca': defaulted(
    text, '', 'Authorities (PEM) of receivers of webhooks, in addition to those that Node.js knows.',
  ),
  'webhooks.timeout': defaulted(
    duration(100, 10_000), '10s',
    'How long a receiver of webhooks may take to answer. A later answer counts as a failure.',
  ),

  ...metricsSettings,
  ...marketplaceSettings,
  ...agentSettings,
  ...busSettings,
  ...limitSettings,
  ...launcherSettings,
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

export type SettingKey = keyof typeof settings;

/** The type of a setting's value. */
export type SettingValue<Key extends SettingKey> = (typeof settings)[Key] extends Setting<infer Value> ? Value : never;

/** `http.baseURL` → `PLATFORM_HTTP_BASE_URL`, `metricsproxy.deniedCIDRs` → `PLATFORM_METRICSPROXY_DENIED_CIDRS`. */
export function environmentName(key: string): string {
  const snake = key
    .replaceAll('.', '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z](?!s(?![a-z]))[a-z])/g, '$1_$2');
  return `PLATFORM_${snake.toUpperCase()}`;
}
