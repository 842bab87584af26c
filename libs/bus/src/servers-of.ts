import type { NodeConnectionOptions } from '@nats-io/transport-node';

/**
 * The servers of `nats.url`, as the client wants them. Under `tls://` only a connection in TLS will do; by itself the
 * client would take what the server says it offers. Authorities: those of Node (`NODE_EXTRA_CA_CERTS` adds some).
 */
export function serversOf(url: string): Pick<NodeConnectionOptions, 'servers' | 'tls'> {
  const servers = url.split(',');
  return servers.some((server) => server.startsWith('tls://')) ? { servers, tls: {} } : { servers };
}
