import { defaulted, given } from './setting.ts';
import { address, addressList, cidr, listOf, secret, text, url } from './setting-kinds.ts';

const http = url('http', 'https');

/** Settings of the metrics proxy (open-points 9). Like all settings, services pick them from `settings`. */
export const metricsSettings = {
  'metricsproxy.tenantPrefix': defaulted(
    text, 'platform.user.', 'Prefix of the names of tenants. The id of the owner follows it.',
  ),
  'metricsproxy.listen': defaulted(
    address, '127.0.0.1:0', 'Address on which the metrics proxy answers queries over HTTP; port 0 chooses a free port.',
  ),
  'metricsproxy.addresses': given(addressList, 'Addresses of the replicas of the metrics proxy, for the gateway.'),
  'metricsproxy.publicURL': given(
    http, 'The address under which dashboards reach metrics. Unset: `{http.baseURL}/metrics-proxy`.',
  ),
  'metricsproxy.deniedCIDRs': defaulted(listOf(cidr), '', 'Networks in which metrics backends are not permitted.'),
  'metricsproxy.allowedCIDRs': defaulted(
    listOf(cidr), '', 'Networks in which metrics backends are permitted nevertheless, such as `127.0.0.0/8` for tests.',
  ),
  'flavora.url': given(http, 'The address of the Grafana of flavor A. Unset: registration is UNAVAILABLE.'),
  'flavora.publicURL': given(http, 'The address under which people reach this Grafana. Unset: `flavora.url`.'),
  'flavora.credential': given(secret, 'Credential of the platform at this Grafana: Bearer token, or `user:password`.'),
  'flavorb.url': given(http, 'The address of the Perses of flavor B. Unset: registration is UNAVAILABLE.'),
  'flavorb.publicURL': given(http, 'The address under which people reach this Perses. Unset: `flavorb.url`.'),
  'flavorb.credential': given(secret, 'Credential of the platform at this Perses: Bearer token, or `user:password`.'),
} as const;
