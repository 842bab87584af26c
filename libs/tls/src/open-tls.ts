import {
  type Config, ConfigError, environmentName, type OpenService, optional, type SettingKey,
} from '@platform/service';
import { readTlsOnce, type TlsFiles, watchTls, type WatchedTls } from './watched-tls.ts';

/** Settings of TLS for gRPC, for services and for other processes that call services. */
export const grpcTlsPicks = {
  grpcCa: optional('grpc.tls.ca'),
  grpcCertificate: optional('grpc.tls.certificate'),
  grpcKey: optional('grpc.tls.key'),
} as const;

export const httpTlsPicks = {
  httpCertificate: optional('http.tls.certificate'),
  httpKey: optional('http.tls.key'),
} as const;

/** Watches the certificates for mutual TLS between services. Returns undefined if none are configured. */
export async function openGrpcTls(
  { log, stack }: Pick<OpenService, 'log' | 'stack'>, config: Config<typeof grpcTlsPicks>,
): Promise<WatchedTls | undefined> {
  const files = grpcFiles(config);
  return files && stack.use(await watchTls(files, log));
}

/** Like {@link openGrpcTls}, but reads the certificates once, for a command. */
export async function readGrpcTls(config: Config<typeof grpcTlsPicks>): Promise<WatchedTls | undefined> {
  const files = grpcFiles(config);
  return files && readTlsOnce(files);
}

export async function openHttpTls(
  { log, stack }: Pick<OpenService, 'log' | 'stack'>,
  { httpCertificate: certificate, httpKey: key }: Config<typeof httpTlsPicks>,
): Promise<WatchedTls | undefined> {
  if (!allOrNone({ 'http.tls.certificate': certificate, 'http.tls.key': key })) return undefined;
  return stack.use(await watchTls({ certificate: certificate!, key: key! }, log));
}

function grpcFiles({ grpcCa: ca, grpcCertificate, grpcKey }: Config<typeof grpcTlsPicks>): TlsFiles | undefined {
  const given = { 'grpc.tls.ca': ca, 'grpc.tls.certificate': grpcCertificate, 'grpc.tls.key': grpcKey };
  return allOrNone(given) ? { ca, certificate: grpcCertificate!, key: grpcKey! } : undefined;
}

/**
 * Whether all settings have values; false if none has a value.
 * @throws ConfigError if only some settings have values, because the operator then expects TLS
 */
function allOrNone(given: Readonly<Partial<Record<SettingKey, string | undefined>>>): boolean {
  const keys = Object.keys(given) as SettingKey[];
  const missing = keys.filter((key) => given[key] === undefined);
  if (missing.length === keys.length) return false;
  if (missing.length === 0) return true;
  const found = `is not set, unlike ${keys.filter((key) => !missing.includes(key)).join(' and ')}`;
  const accepts = `${keys.join(', ')} together, or none of them`;
  throw new ConfigError(missing.map((key) => ({ key, where: environmentName(key), found, accepts })));
}
