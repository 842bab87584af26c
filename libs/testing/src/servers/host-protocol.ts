/** A service to open in another process. */
export interface HostedService {
  readonly name: string;
  /** The file that exports the `service`. */
  readonly file: string;
  /** Its settings, in the notation of a process environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The protocol between a spec file and the host of its services, over a Unix socket, with one JSON object per line.
 * Each connection is one service: the first line opens the service, and it stops when the client requests it or
 * disconnects.
 */
export type HostRequest = ({ readonly ask: 'open' } & HostedService) | { readonly ask: 'stop' };

export type HostMessage =
  /** A line of the service's log. */
  | { readonly kind: 'log'; readonly line: string }
  /** Addresses on which the service listens, by purpose. */
  | { readonly kind: 'ready'; readonly addresses: Readonly<Record<string, string>> }
  /** The service has ended with the exit code that a process would have: 1 if its start or stop failed, else 0. */
  | { readonly kind: 'ended'; readonly code: number };

/** The message of the keeper to a host: end as soon as no service is left in it. */
export type KeeperRequest = 'retire';

/** The messages of a host to the keeper. `ready`: it accepts services. `unused`: its last service has ended. */
export type HostNotice = 'ready' | 'unused';

/** The argument of a host that holds one service at a time. */
export const aloneArgument = 'alone';
