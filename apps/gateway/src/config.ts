import { ratePicks } from '@platform/limits';
import { deploymentPicks } from '@platform/rpc';
import {
  addressPicks, type ConfigSource, optional, passPicks, readConfig as read, servicePicks, stopRule,
} from '@platform/service';
import { grpcTlsPicks, httpTlsPicks } from '@platform/tls';

export const picks = {
  ...servicePicks,
  ...deploymentPicks,
  ...ratePicks,
  ...grpcTlsPicks,
  ...httpTlsPicks,
  ...addressPicks,
  ...passPicks,
  host: 'http.host',
  port: 'http.port',
  baseUrl: optional('http.baseURL'),
  requestTimeout: 'http.requestTimeout',
  serviceCredential: 'secrets.serviceCredential',
  stopDelay: 'stop.delay',
  stopSilence: 'stop.silence',
} as const;

/** @throws ConfigError that lists all mistakes */
export function readConfig(source: ConfigSource) {
  return read(picks, { rule: stopRule, ...source });
}

export type GatewayConfig = ReturnType<typeof readConfig>;
