/**
 * What a spec file and the host of its services say to each other over a Unix socket, one JSON object per line. A
 * connection is one service: it is opened by the first line, and it stops when the client asks for it or is gone.
 */
export type HostRequest =
  | { readonly ask: 'open'; readonly name: string; readonly environment: Readonly<Record<string, string>> }
  | { readonly ask: 'stop' };

export type HostMessage =
  /** A line of the service's log. */
  | { readonly kind: 'log'; readonly line: string }
  /** Where it listens, by purpose. */
  | { readonly kind: 'ready'; readonly addresses: Readonly<Record<string, string>> }
  /** It has ended as a process would have, with this code: in order (0), or its start or stop failed (1). */
  | { readonly kind: 'ended'; readonly code: number };

/** What the keeper tells a host: to end once no service is left in it. */
export type KeeperRequest = 'retire';
