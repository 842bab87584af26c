import {
  type Config, ConfigError, environmentName, type OpenService, optional, type SettingKey,
} from '@platform/service';
import { type TlsFiles, watchTls, type WatchedTls } from './watched-tls.ts';

/** What a process picks that speaks gRPC to services, or is one. */
export const grpcTlsPicks = {
  grpcCa: optional('grpc.tls.ca'),
  grpcCertificate: optional('grpc.tls.certificate'),
  grpcKey: optional('grpc.tls.key'),
} as const;

/** What the gateway picks. */
export const httpTlsPicks = {
  httpCertificate: optional('http.tls.certificate'),
  httpKey: optional('http.tls.key'),
} as const;

/** Certificates for mutual TLS between services, while the service is open; undefined without. @throws as watchTls */
export function openGrpcTls(
  service: Pick<OpenService, 'log' | 'stack'>,
  config: Config<typeof grpcTlsPicks>,
): Promise<WatchedTls | undefined> {
  const { grpcCa: ca, grpcCertificate: certificate, grpcKey: key } = config;
  return open(service, { 'grpc.tls.ca': ca, 'grpc.tls.certificate': certificate, 'grpc.tls.key': key }, () => ({
    ca, certificate: certificate!, key: key!,
  }));
}

/** The gateway's certificate, while the service is open; undefined without. @throws as watchTls */
export function openHttpTls(
  service: Pick<OpenService, 'log' | 'stack'>,
  { httpCertificate: certificate, httpKey: key }: Config<typeof httpTlsPicks>,
): Promise<WatchedTls | undefined> {
  return open(service, { 'http.tls.certificate': certificate, 'http.tls.key': key }, () => ({
    certificate: certificate!, key: key!,
  }));
}

async function open(
  { log, stack }: Pick<OpenService, 'log' | 'stack'>,
  given: Readonly<Partial<Record<SettingKey, string | undefined>>>,
  files: () => TlsFiles,
): Promise<WatchedTls | undefined> {
  const keys = Object.keys(given) as SettingKey[];
  const missing = keys.filter((key) => given[key] === undefined);
  if (missing.length === keys.length) return undefined;
  // Half of it would be no TLS where somebody counts on it.
  if (missing.length > 0) {
    throw new ConfigError(missing.map((key) => ({
      key,
      where: environmentName(key),
      found: `is not set, but ${keys.filter((other) => !missing.includes(other)).join(' and ')}`,
      accepts: `${keys.join(', ')} together, or none of them`,
    })));
  }
  return stack.use(await watchTls(files(), log));
}
