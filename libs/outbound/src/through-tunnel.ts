import http from 'node:http';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import tls from 'node:tls';

export type OpenTunnel = (host: string, port: number) => Promise<Socket>;

/** The options that Node passes to `createConnection` of an agent. They include TLS settings. */
type Target = tls.ConnectionOptions & { readonly host: string; readonly port: number | string };
type Connect = (options: Target, made: (error: Error | null, socket?: Socket) => void) => void;

function connectThrough(open: OpenTunnel, secure: boolean): Connect {
  return (options, made) => {
    const { host, port } = options;
    open(host, Number(port)).then((socket) => {
      const servername = options.servername ?? (isIP(host) === 0 ? host : '');
      made(null, secure ? tls.connect({ ...options, ALPNProtocols: ['http/1.1'], servername, socket }) : socket);
    }).catch((error: unknown) => made(error as Error));
  };
}

/** Returns an agent for http and an agent for https. If `open` is given, it opens the connections of both. */
export function agentsBy(options: http.AgentOptions, open?: OpenTunnel) {
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };
  if (open !== undefined) {
    Object.assign(agents['http:'], { createConnection: connectThrough(open, false) });
    Object.assign(agents['https:'], { createConnection: connectThrough(open, true) });
  }
  return agents;
}
