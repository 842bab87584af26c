import { accountSettings } from './account-settings.ts';
import { agentSettings } from './agent-settings.ts';
import { backingSettings } from './backing-settings.ts';
import { busSettings } from './bus-settings.ts';
import { launcherSettings } from './launcher-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { marketplaceSettings } from './marketplace-settings.ts';
import { metricsSettings } from './metrics-settings.ts';
import { serviceSettings } from './service-settings.ts';
import { defaulted, given, type Setting } from './setting.ts';
import {
  auto, cidr, duration, flag, integer, listOf, oneOf, port, secret, secretUrl, sha256,
  share, text, url,
} from './setting-kinds.ts';

/** Log levels, most detailed first. */
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export type { Setting };

const autoOnOff = oneOf('auto', 'on', 'off');
const http = url('http', 'https');

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
    'The kind of deployment. It decides, for example, which routes exist. Default of `npm start`: `Hosted`.',
  ),
  'deployment.offlineInstaller': defaulted(flag, 'false', 'Whether installers must work without the internet.'),
  'run.mode': defaulted(
    oneOf('prod', 'dev', 'test'),
    'prod',
    '`dev` and `test` are not for production. For example, rate limits are off by default, and '
    + '`managerManagementClusterEndPoint` may begin with `http://`. Default of `npm start`: `dev`.',
  ),

  // HTTP
  'http.baseURL': given(http, "The address under which people reach the platform. Unset: the gateway's own address."),
  'http.host': defaulted(text, '127.0.0.1', 'The interface on which the gateway and the marketplace listener listen.'),
  'http.port': defaulted(port, '0', 'The port on which the gateway listens; 0 chooses a free port.'),
  'http.trustedProxies': defaulted(listOf(cidr), '', 'Networks of proxies whose `X-Forwarded-For` is trusted.'),
  'http.requestTimeout': defaulted(duration(100, 600_000), '30s', 'Usual time limit of an HTTP request.'),
  'http.tls.certificate': given(
    text, "Path of the gateway's certificate chain (PEM). HTTPS needs `http.tls.certificate` and `http.tls.key`.",
  ),
  'http.tls.key': given(text, 'Path of the private key (PEM) of `http.tls.certificate`.'),

  ...serviceSettings,

  // Secrets
  'secrets.encryptionKeys': given(
    listOf(secret),
    'Keys that encrypt secrets in databases. The first key encrypts, and all keys decrypt. To change keys: '
    + 'docs/runbook.md. The launcher creates a key if none is given.',
  ),
  'secrets.tokenKey': given(
    secret, 'Key of the keyed hashes of tokens, sessions and sign-in codes. The launcher creates this key.',
  ),
  'secrets.serviceCredential': given(secret, 'Credential of calls between services. The launcher creates it.'),
  'secrets.operatorCredential': given(
    secret,
    "The credential with which the operator's CLI calls services. The launcher creates this credential. Services get "
    + 'only `secrets.operatorVerifier`.',
  ),
  'secrets.operatorVerifier': given(
    sha256,
    'SHA-256 of `secrets.operatorCredential`. Services verify the credential with this hash. The launcher computes the '
    + 'hash. Unset: services do not accept the credential.',
  ),
  'secrets.adminToken': given(
    secret,
    'Access token of the first site admin. The platform creates this site admin at its first start. The launcher '
    + 'creates the token.',
  ),

  ...backingSettings,

  // Observability
  'log.level': defaulted(oneOf(...logLevels), 'info', 'Lowest level of the log lines that are written.'),
  'telemetry.endpoint': given(
    http,
    'Base address of an OTLP/HTTP collector, e.g. `http://127.0.0.1:4318`. Unset: traces are not recorded.',
  ),
  'telemetry.headers': defaulted(listOf(secret), '', 'Headers for the collector, each `name=value`.'),
  'telemetry.sampleRatio': defaulted(share, '1', 'The share of traces that are recorded.'),

  // Organizations, users
  'orgs.allowCreate': defaulted(flag, 'true', 'Whether users may create organizations. Site admins always may.'),
  'orgs.perOwner': defaulted(
    integer(1, 1_000_000),
    '50',
    'A user who owns this many organizations may not create further ones. Site admins are unlimited.',
  ),
  'orgs.teamsPerOrganization': defaulted(integer(1, 100_000), '1000', 'Maximum number of teams of an organization.'),
  'orgs.administrative': defaulted(
    text,
    'administration',
    'Name of the administrative organization. The platform creates this organization at its first start.',
  ),
  'clusters.unproven': defaulted(
    integer(0, 1_000_000),
    '20',
    'Maximum number of unproven clusters of an account, imported or with trial licences. A cluster is proven after the '
    + 'platform has reached it with a kubeconfig, or after its agent has reported for the account.',
  ),
  'audit.keep': defaulted(duration(60_000, 3_660 * 86_400_000), '400d', 'How long the audit is kept.'),
  ...accountSettings,
  'leases.enabled': defaulted(
    flag,
    'true',
    'Whether services keep data about callers in memory, under leases ([rules](rules/leases.md)). Leases need NATS.',
  ),
  'leases.lifetime': defaulted(
    duration(500, 60_000), '3s',
    'How long a lease lasts. A change may wait this long for a replica that does not answer.',
  ),
  'avatars.lookupURL': given(
    http,
    'Address of an avatar service. The picture of a user is at `{avatars.lookupURL}/{SHA-256 of the e-mail address}`.',
  ),
  'mail.domain': given(
    text,
    'Domain of the platform in e-mail addresses. `{user}@noreply.{mail.domain}` replaces a private address. Unset: the '
    + 'host of `http.baseURL`.',
  ),
  'mail.smtpURL': given(
    secretUrl('smtp', 'smtps'),
    'The SMTP server that sends mails, such as `smtps://user:password@host`. A password is sent only over TLS. Unset: '
      + 'mails are written to the folder `mail` in `home`.',
  ),
  'mail.from': given(text, 'Sender of mails. Unset: `no-reply@{mail.domain}`.'),

  // Licences, billing
  'billing.enabled': defaulted(
    auto, 'auto', 'Whether billing is enabled. `auto`: only if `deployment.type` is `Hosted`.',
  ),
  'license.trial': defaulted(
    autoOnOff, 'auto', 'Whether trial licences are issued. `auto`: only if `deployment.type` is `Hosted`.',
  ),
  'license.selfRegistration': defaulted(
    autoOnOff, 'auto', 'Whether `POST /register` is permitted. `auto`: off in deployment types that end in `Demo`.',
  ),
  'license.ca': given(
    secret,
    'Certificate and private key (PEM) of the authority that signs licences. Unset: the platform creates both.',
  ),
  'license.keyType': defaulted(oneOf('ecdsa', 'rsa'), 'ecdsa', 'Type of the keys of licences and of new authorities.'),
  'license.emailDomain': defaulted(text, 'id.platform.dev', 'Domain of the e-mail addresses in licences.'),
  'license.registerReply': defaulted(
    oneOf('empty', 'credentials'), 'empty',
    'What `POST /register` returns. `empty`: nothing. `credentials`: new bus credentials of the agent, or nothing if '
    + 'the licence belongs to a user. The previous credentials become invalid. With `credentials`, anybody who has a '
    + 'licence file can get bus credentials.',
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
    'Domain in the names of labels and annotations of the platform in clusters, and in types of events.',
  ),
  'gateway.defaultPreset': defaulted(
    text,
    '',
    'A shared gateway, as `{namespace}/{name}`. A client organization uses this gateway if it requests a gateway, but '
    + 'neither names nor configures one.',
  ),

  'clusters.deniedCIDRs': defaulted(
    listOf(cidr), '',
    'Networks in which the API server of an imported cluster is not permitted. The platform checks the address at the '
    + 'import and at every connection.',
  ),
  'clusters.allowedCIDRs': defaulted(
    listOf(cidr), '',
    'Networks in which the API server of an imported cluster is permitted although `clusters.deniedCIDRs` contains '
    + 'them, or although they are special networks such as loopback. IPv4 link-local addresses and addresses of cloud '
    + 'metadata services are never permitted.',
  ),

  'webhooks.allowedCIDRs': defaulted(
    listOf(cidr), '',
    'Networks that are not public, but in which receivers of webhooks are permitted. IPv4 link-local addresses and '
    + 'addresses of cloud metadata services are never permitted.',
  ),
  'webhooks.ca': defaulted(
    text, '', 'CA certificates (PEM) for receivers of webhooks, in addition to the CA certificates of Node.js.',
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

/**
 * Returns the name of the environment variable of a setting. Examples: `PLATFORM_HTTP_BASE_URL` for `http.baseURL`,
 * `PLATFORM_METRICSPROXY_DENIED_CIDRS` for `metricsproxy.deniedCIDRs`.
 */
export function environmentName(key: string): string {
  const snake = key
    .replaceAll('.', '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z](?!s(?![a-z]))[a-z])/g, '$1_$2');
  return `PLATFORM_${snake.toUpperCase()}`;
}
