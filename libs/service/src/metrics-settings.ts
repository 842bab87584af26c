import { defaulted, given } from './setting.ts';
import { address, addressList, cidr, listOf, secret, text, url } from './setting-kinds.ts';

const http = url('http', 'https');

/** Settings of the metrics proxy (open-points 9). Like all settings, services pick them from `settings`. */
export const metricsSettings = {
  'metricsproxy.tenantPrefix': defaulted(text, 'platform.user.', 'Stands before the id of an owner in its tenant.'),
  'metricsproxy.listen': defaulted(
    address, '127.0.0.1:0', 'Where it answers queries of metrics over HTTP; port 0 takes a free one.',
  ),
  'metricsproxy.addresses': given(addressList, 'Addresses where its replicas do, for the gateway.'),
  'metricsproxy.publicURL': given(
    http, 'The address under which dashboards reach metrics. Unset: `{http.baseURL}/metrics-proxy`.',
  ),
  'metricsproxy.deniedCIDRs': defaulted(listOf(cidr), '', 'Networks in which no metrics backend may be.'),
  'metricsproxy.allowedCIDRs': defaulted(
    listOf(cidr), '', 'Networks in which one may be although they are refused, such as `127.0.0.0/8` for tests.',
  ),
  'flavora.url': given(http, 'The address of the Grafana of flavor A. Unset: registration in it is UNAVAILABLE.'),
  'flavora.publicURL': given(http, 'The address under which people reach it. Unset: `flavora.url`.'),
  'flavora.credential': given(secret, 'What the platform signs in with: a Bearer token, or `user:password`.'),
  'flavorb.url': given(http, 'The address of the Perses of flavor B. Unset: registration in it is UNAVAILABLE.'),
  'flavorb.publicURL': given(http, 'The address under which people reach it. Unset: `flavorb.url`.'),
  'flavorb.credential': given(secret, 'What the platform signs in with: a Bearer token, or `user:password`.'),
} as const;
