import { defaulted, given } from './setting.ts';
import { addressList, cidr, email, listOf, port, secret, text, time, url } from './setting-kinds.ts';

const http = url('http', 'https');

/** Settings of marketplaces (open-points 11). */
export const marketplaceSettings = {
  'marketplace.listener.port': defaulted(
    port, '0', 'Port of the marketplace listener, on the interface of `http.host`; 0 chooses a free port.',
  ),
  'marketplace.listener.addresses': given(
    addressList, 'Addresses of the replicas of the marketplace listener, for the gateway.',
  ),
  'marketplace.products': defaulted(
    listOf(text), '',
    'Aliases of the products for which contracts are created when an installer is bound; empty: all products.',
  ),
  'marketplace.installer.chart': defaulted(
    text, 'platform', 'Chart that installers install: `oci://{host}/{path}/{chart}`, `{repository}/{chart}`, or `{chart}`.',
  ),
  'marketplace.installer.namespace': defaulted(text, 'platform', 'Namespace for the chart of installers.'),
  'marketplace.alertEmails': defaulted(
    listOf(email, 50), '', 'Recipients of mails about failed subscriptions and late usage reports.',
  ),
  'marketplace.centralURL': given(
    http,
    'Address of the central marketplace server, which decides whether an organization may be claimed. Unset: this '
      + 'deployment decides.',
  ),
  'marketplace.providera.allowedCIDRs': defaulted(
    listOf(cidr), '',
    'Networks from which notifications of provider A are accepted, in addition to the networks that provider A '
      + 'publishes.',
  ),
  'marketplace.providera.rangesURL': given(
    http, 'Address at which provider A publishes a list of its networks, as `{"prefixes": [{"ip_prefix"}], '
      + '"ipv6_prefixes": [{"ipv6_prefix"}]}`. The list is read at the start and daily. Unset: only '
      + '`marketplace.providera.allowedCIDRs` counts.',
  ),
  'marketplace.providera.region': defaulted(text, 'us-east-1', 'Region of the metering of provider A.'),
  'marketplace.providera.productCode': given(
    text, 'Product code at provider A. Unset: usage cannot be reported to provider A.',
  ),
  'marketplace.providera.accessKey': given(secret, 'Id of the access key for the metering of provider A.'),
  'marketplace.providera.secretKey': given(secret, 'Secret of the access key for the metering of provider A.'),
  'marketplace.providera.meteringURL': given(http, 'Overrides the address of the metering of provider A.'),
  'marketplace.providerb.secret': given(
    secret,
    'Notifications of provider B must have this secret as the query parameter `secret`. Unset: all are refused.',
  ),
  'marketplace.providerb.tenantID': given(text, 'Tenant in which the platform signs in at provider B.'),
  'marketplace.providerb.clientID': given(text, 'Client id with which the platform signs in at provider B.'),
  'marketplace.providerb.clientSecret': given(secret, 'Secret of the client id at provider B.'),
  'marketplace.providerb.clientSecretExpires': given(
    time, 'When the client secret for provider B expires. The dashboard begins to warn 30 days before the expiry.',
  ),
  'marketplace.providerb.tokenURL': given(http, 'Overrides the address at which provider B issues tokens.'),
  'marketplace.providerb.resourceURL': given(http, 'Overrides the address of the resource API of provider B.'),
  'marketplace.providerb.meteringURL': given(http, 'Overrides the address of the metering of provider B.'),
  'marketplace.providerc.secret': given(
    secret,
    'Notifications of provider C must have this secret as the query parameter `secret`. Unset: all are refused.',
  ),
  'marketplace.providerc.testInstallerId': given(
    text,
    'Id of the test installer. Its notifications from provider C may have a wrong secret or none. This requires that '
      + '`marketplace.providerc.secret` is set.',
  ),
  'marketplace.providerc.credential': given(secret, 'Service account (JSON) of the platform at provider C.'),
  'marketplace.providerc.serviceName': given(text, 'Name of the service for which usage is reported to provider C.'),
  'marketplace.providerc.consumerId': given(text, 'The consumer for which usage is reported to provider C.'),
  'marketplace.providerc.serviceControlURL': given(http, 'Overrides the address of the service control of provider C.'),
} as const;
