import { deploymentPicks, ratePicks } from '@platform/rpc';
import {
  addressPicks, type ConfigSource, optional, readConfig as read, servicePicks, stopRule,
} from '@platform/service';
import { grpcTlsPicks, httpTlsPicks } from '@platform/tls';

/** What the gateway is told. The only reader of its environment. @throws ConfigError with all that is wrong */
export function readConfig(source: ConfigSource) {
  return read(
    {
      ...servicePicks,
      ...deploymentPicks,
      ...ratePicks,
      ...grpcTlsPicks,
      ...httpTlsPicks,
      host: 'http.host',
      port: 'http.port',
      baseUrl: optional('http.baseURL'),
      requestTimeout: 'http.requestTimeout',
      ...addressPicks,
      serviceCredential: 'secrets.serviceCredential',
      stopDelay: 'stop.delay',
    },
    { rule: stopRule, ...source },
  );
}

export type GatewayConfig = ReturnType<typeof readConfig>;
