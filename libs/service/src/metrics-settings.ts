import { defaulted, given } from './setting.ts';
import { address, addressList, cidr, listOf, secret, text, url } from './setting-kinds.ts';

const http = url('http', 'https');

/** Settings of the metrics proxy (open-points 9). */
export const metricsSettings = {
  'metricsproxy.tenantPrefix': defaulted(
    text, 'platform.user.',
    'Prefix of the tenant names that metrics backends receive. The id of the owner follows, as in `platform.user.7`.',
  ),
  'metricsproxy.listen': defaulted(
    address, '127.0.0.1:0', 'Address on which the metrics proxy answers queries over HTTP; port 0 chooses a free port.',
  ),
  'metricsproxy.addresses': given(addressList, 'Addresses of the replicas of the metrics proxy, for the gateway.'),
  'metricsproxy.publicURL': given(
    http, 'The address under which dashboards reach the metrics proxy. Unset: `{http.baseURL}/metrics-proxy`.',
  ),
  'metricsproxy.deniedCIDRs': defaulted(listOf(cidr), '', 'Networks in which metrics backends are not permitted.'),
  'metricsproxy.allowedCIDRs': defaulted(
    listOf(cidr), '',
    'Exceptions from `metricsproxy.deniedCIDRs`, and from the denial of loopback and other special networks. IPv4 '
      + 'link-local addresses and addresses of cloud metadata services are never permitted.',
  ),
  'flavora.url': given(
    http, 'The address of the Grafana of flavor A. Unset: registrations for flavor A get the error UNAVAILABLE.',
  ),
  'flavora.publicURL': given(
    http, 'The address under which people reach the Grafana of flavor A. Unset: `flavora.url`.',
  ),
  'flavora.credential': given(
    secret, 'Credential of the platform at the Grafana of flavor A: Bearer token, or `user:password`.',
  ),
  'flavorb.url': given(
    http, 'The address of the Perses of flavor B. Unset: registrations for flavor B get the error UNAVAILABLE.',
  ),
  'flavorb.publicURL': given(
    http, 'The address under which people reach the Perses of flavor B. Unset: `flavorb.url`.',
  ),
  'flavorb.credential': given(
    secret, 'Credential of the platform at the Perses of flavor B: Bearer token, or `user:password`.',
  ),
} as const;
