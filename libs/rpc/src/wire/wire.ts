import { serviceCredentialHeader } from '@platform/service';

/** Names of the metadata our hops exchange. */
export const wire = {
  authorization: 'authorization',
  requestId: 'x-request-id',
  serviceCredential: serviceCredentialHeader,
  /** The source address of a request, from a server of ours that answered it over HTTP. */
  sourceAddress: 'platform-source-address',
  /** As how many requests of the caller's rate the call counts, from a server of ours; left out: as one. */
  countsAs: 'platform-counts-as',
  /** The values of the request count, too: it is one of a client, over a server of ours. */
  countsValues: 'platform-counts-values',
  /** On whose behalf a service of ours calls, see `onBehalfOf`. */
  party: 'platform-party',
  /** What the gateway found wrong with path and query parameters that the access rule needs. */
  parameterFault: 'platform-parameter-fault-bin',
  /** What the gateway found wrong with everything else. */
  bodyFault: 'platform-body-fault-bin',
  /** What a repeated request has in common with the first one, from a server of ours: see `RepeatKey`. */
  repeatKey: 'platform-repeat-key-bin',
  repeatBody: 'platform-repeat-body-bin',
  /** With an answer: it is the kept one of an earlier request. */
  replayed: 'platform-replayed',
  /** With an answer that is an object: its entity tag, see `entityTagOf`. */
  revision: 'platform-revision',
  /** The client stream ends with a message of its own, see {@link endOfRequests}; without, it is not complete. */
  endsRequests: 'platform-ends-requests',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
} as const;

/** Messages inside the platform (a form with a document, a page of events). */
export const maxMessageBytes = 64 * 1024 * 1024;

/** Bytes of one message, and of a form with its file, of those who call directly: as over REST (open-points 1.9). */
export const largestDirectMessage = 2 * 1024 * 1024;
export const largestDirectForm = 12 * 1024 * 1024;

/** Longest time a call may take when the caller names none (open-points 1.9). */
export const defaultDeadlineMs = 30_000;
