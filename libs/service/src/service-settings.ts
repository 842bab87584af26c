import { type AddressKey, grpcServices } from './services.ts';
import { defaulted, given, type Setting } from './setting.ts';
import { address, addressList, auto, duration, text } from './setting-kinds.ts';

/** A setting for each gRPC service, with the addresses of the service. */
const addressSettings = Object.fromEntries(grpcServices.map(({ name, addresses }) => {
  return [addresses, given(
    addressList,
    `gRPC addresses of the replicas of ${name}. A host name stands for all IP addresses of this name.`,
  )];
})) as Readonly<Record<AddressKey, Setting<readonly string[], false>>>;

/** Settings of every service: where it listens, how it reaches the other services, and how it stops. */
export const serviceSettings = {
  'grpc.listen': defaulted(
    address, '127.0.0.1:0', 'Address on which a service listens for gRPC; port 0 chooses a free port.',
  ),
  'grpc.reflection': defaulted(
    auto,
    'auto',
    'Server reflection, for grpcurl and similar tools. `auto`: on in run mode `dev`.',
  ),
  'grpc.tls.ca': given(
    text,
    'Path of the certificate (PEM) of the CA that signs the certificates of services. Mutual TLS needs `grpc.tls.ca`, '
    + '`grpc.tls.certificate` and `grpc.tls.key`.',
  ),
  'grpc.tls.certificate': given(
    text,
    "Path of the service's certificate (PEM). The certificate names the service in a URI, such as "
    + '`spiffe://platform/service/orgs-teams`.',
  ),
  'grpc.tls.key': given(text, "Path of the service's private key (PEM)."),
  'admin.listen': defaulted(
    address, '127.0.0.1:0', 'Address on which a service answers `/livez`, `/readyz` and `/metrics`.',
  ),
  ...addressSettings,
  'stop.delay': defaulted(
    duration(0, 600_000), '0s',
    'How long the gateway still accepts requests after the stop signal. During this time, `/readyz` answers 503, so '
    + 'that load balancers stop sending requests. The delay counts towards `stop.timeout`.',
  ),
  'stop.silence': defaulted(
    duration(10, 60_000), '1s',
    'How long a stopping HTTP server waits for requests and answers in transit. The server may wait up to three times. '
    + 'The waits count towards `stop.timeout`.',
  ),
  'stop.timeout': defaulted(
    duration(0, 600_000), '10s',
    'How long a service may take to stop. After this time, the service exits even if work is unfinished. Default of '
    + '`npm start`: `4s`. The launcher stops the gateway first, then the other services, then PostgreSQL, NATS '
    + 'and OpenFGA.',
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;
