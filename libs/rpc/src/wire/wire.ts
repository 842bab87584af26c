import { serviceCredentialHeader } from '@platform/service';

/** Metadata keys that processes of the platform exchange. */
export const wire = {
  authorization: 'authorization',
  requestId: 'x-request-id',
  serviceCredential: serviceCredentialHeader,
  /** The source address of a request, set by a server of the platform that received it over HTTP. */
  sourceAddress: 'platform-source-address',
  /**
   * The number of requests as which the call counts towards the caller's rate, set by a server of the platform.
   * Default: one.
   */
  countsAs: 'platform-counts-as',
  /**
   * Set if each value in the request counts towards the rate: a client sent the request to a server of the platform.
   */
  countsValues: 'platform-counts-values',
  /** The party for which a service of the platform calls; see `onBehalfOf`. */
  party: 'platform-party',
  /** The fault that the gateway found in path and query parameters that the access rule needs. */
  parameterFault: 'platform-parameter-fault-bin',
  /** The fault that the gateway found in all other parts of the request. */
  bodyFault: 'platform-body-fault-bin',
  /** The key that a repeated request shares with the first one, set by a server of the platform; see `RepeatKey`. */
  repeatKey: 'platform-repeat-key-bin',
  repeatBody: 'platform-repeat-body-bin',
  /** In a response: set if the answer is the kept answer of an earlier request. */
  replayed: 'platform-replayed',
  /** In a response with an object: the entity tag of the object; see `entityTagOf`. */
  revision: 'platform-revision',
  /**
   * The client stream ends with a special message; see {@link endOfRequests}. Without this message, the stream is
   * incomplete.
   */
  endsRequests: 'platform-ends-requests',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
} as const;

/** Maximum bytes of messages inside the platform (a form with a document, a page of events). */
export const maxMessageBytes = 64 * 1024 * 1024;

/** Maximum bytes of one message, and of a form with its file, from direct callers: as over REST (open-points 1.9). */
export const largestDirectMessage = 2 * 1024 * 1024;
export const largestDirectForm = 12 * 1024 * 1024;

/** Maximum duration of a call whose caller sets no deadline (open-points 1.9). */
export const defaultDeadlineMs = 30_000;
