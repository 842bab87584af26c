import { defaulted, given } from './setting.ts';
import { addressList, cidr, email, listOf, port, secret, text, time, url } from './setting-kinds.ts';

const http = url('http', 'https');

/** Settings of marketplaces (open-points 11). Like all settings, services pick them from `settings`. */
export const marketplaceSettings = {
  'marketplace.listener.port': defaulted(
    port, '0', 'The port the marketplace listener answers on, on the interface of `http.host`; 0 takes a free one.',
  ),
  'marketplace.listener.addresses': given(addressList, 'Addresses where its replicas do, for the gateway.'),
  'marketplace.products': defaulted(
    listOf(text), '', 'Aliases of the products that a bind makes contracts for; empty: all.',
  ),
  'marketplace.installer.chart': defaulted(
    text, 'platform', 'Chart that installers install: `oci://{host}/{path}/{chart}`, `{repository}/{chart}`, or `{chart}`.',
  ),
  'marketplace.installer.namespace': defaulted(text, 'platform', 'The namespace that they install it to.'),
  'marketplace.alertEmails': defaulted(listOf(email, 50), '', 'Who gets mails about failed subscriptions and reports.'),
  'marketplace.centralURL': given(
    http, 'The central marketplace server, which evaluates claims. Unset: each deployment evaluates its own.',
  ),
  'marketplace.providera.allowedCIDRs': defaulted(
    listOf(cidr), '', 'Networks that notifications of provider A come from, beside its published ones.',
  ),
  'marketplace.providera.rangesURL': given(
    http, 'Where provider A publishes its networks, as `{"prefixes": [{"ip_prefix"}], "ipv6_prefixes": '
      + '[{"ipv6_prefix"}]}`; read at start and daily. There is no default. Unset: only '
      + '`marketplace.providera.allowedCIDRs` counts.',
  ),
  'marketplace.providera.region': defaulted(text, 'us-east-1', 'Region of its metering.'),
  'marketplace.providera.productCode': given(text, 'Product code there. Unset: its metering is UNAVAILABLE.'),
  'marketplace.providera.accessKey': given(secret, 'What the platform signs in with at its metering.'),
  'marketplace.providera.secretKey': given(secret, 'The secret of that key.'),
  'marketplace.providera.meteringURL': given(http, "Overrides the address of the provider's metering."),
  'marketplace.providerb.secret': given(
    secret, 'What notifications of provider B carry. Unset: all of them are refused.',
  ),
  'marketplace.providerb.tenantID': given(text, 'Tenant in which the platform signs in at provider B.'),
  'marketplace.providerb.clientID': given(text, 'The client it signs in as.'),
  'marketplace.providerb.clientSecret': given(secret, 'The secret of that client.'),
  'marketplace.providerb.clientSecretExpires': given(
    time, 'When that secret expires; the dashboard warns 30 days before.',
  ),
  'marketplace.providerb.tokenURL': given(http, 'Overrides the address where provider B issues tokens.'),
  'marketplace.providerb.resourceURL': given(http, 'Overrides the address of its resource API.'),
  'marketplace.providerb.meteringURL': given(http, 'Overrides the address of its metering.'),
  'marketplace.providerc.secret': given(
    secret, 'What notifications of provider C carry. Unset: all of them are refused.',
  ),
  'marketplace.providerc.testInstallerId': given(text, 'The installer whose notifications need no secret.'),
  'marketplace.providerc.credential': given(secret, 'Service account (JSON) that signs in at provider C.'),
  'marketplace.providerc.serviceName': given(text, 'Name of the service that usage is reported for.'),
  'marketplace.providerc.consumerId': given(text, 'The consumer that usage is reported for.'),
  'marketplace.providerc.serviceControlURL': given(http, 'Overrides the address of its service control.'),
} as const;
