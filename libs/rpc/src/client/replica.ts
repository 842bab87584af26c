import { type Client, Metadata } from '@grpc/grpc-js';
import { currentParty, traceHeaders } from '@platform/service';
import type { OutgoingContext } from '../call-context.ts';
import { wire } from '../wire/wire.ts';
import type { JoinedClient } from './joined-client.ts';
import type { Outgoing } from './outgoing.ts';

export interface Replica {
  /** `host:port`. */
  readonly address: string;
  /** The gRPC client. It is replaced if the replica stays unconnected for a while. */
  client: Client;
  readonly serviceCredential: string | undefined;
  /** Sends small calls together, over one stream (ADR 0070). Undefined without a service credential. */
  joined: JoinedClient | undefined;
  /** Number of current calls. A replica whose address is no longer listed is closed after its last call. */
  calls: number;
}

export function headersOf({ requestId }: OutgoingContext): [string, string][] {
  const headers: [string, string][] = [[wire.requestId, requestId]];
  const party = currentParty();
  if (party !== '') headers.push([wire.party, party]);
  const { traceparent, tracestate } = traceHeaders();
  if (traceparent !== undefined) headers.push([wire.traceparent, traceparent]);
  if (tracestate !== undefined) headers.push([wire.tracestate, tracestate]);
  return headers;
}

export function metadataOf({ serviceCredential }: Replica, { metadata }: Outgoing): Metadata {
  const given = new Metadata();
  if (serviceCredential !== undefined) given.set(wire.serviceCredential, serviceCredential);
  for (const [key, value] of metadata) given.set(key, value);
  return given;
}

/** Passes bytes through: messages are encoded and decoded outside grpc-js. */
export const asItIs = (bytes: Buffer): Buffer => bytes;
