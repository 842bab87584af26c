import { serviceCredentialHeader } from '@platform/service';

/** Metadata keys that processes of the platform exchange. */
export const wire = {
  authorization: 'authorization',
  requestId: 'x-request-id',
  serviceCredential: serviceCredentialHeader,
  /** The source address of a request, set by a server of the platform that received it over HTTP. */
  sourceAddress: 'platform-source-address',
  /** How many requests the call counts as in the caller's rate limit; default 1. A server of the platform sets it. */
  countsAs: 'platform-counts-as',
  /** Set if each value of the request counts towards the caller's rate, as for a request from a client. */
  countsValues: 'platform-counts-values',
  /** The party for which a service of the platform calls; see `onBehalfOf`. */
  party: 'platform-party',
  /** The gateway's fault of a path parameter, or of a query parameter that the access rule needs. */
  parameterFault: 'platform-parameter-fault-bin',
  /** The fault that the gateway found in another part of the request. */
  bodyFault: 'platform-body-fault-bin',
  /** Identifies a request that its client may repeat, set by a server of the platform; see `RepeatKey`. */
  repeatKey: 'platform-repeat-key-bin',
  repeatBody: 'platform-repeat-body-bin',
  /** In a response: set if the answer is the kept answer of an earlier request. */
  replayed: 'platform-replayed',
  /** In a response with an object: the entity tag of the object; see `entityTagOf`. */
  revision: 'platform-revision',
  /** Set if the client ends each complete stream with the message {@link endOfRequests}. */
  endsRequests: 'platform-ends-requests',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
} as const;

/** Maximum bytes of one message between services, such as a form with a document or a page of events. */
export const maxMessageBytes = 64 * 1024 * 1024;

/** Maximum bytes of one message from a direct caller, as over REST (open-points 1.9). */
export const largestDirectMessage = 2 * 1024 * 1024;
/** Maximum bytes of a form with its file from a direct caller, as over REST (open-points 1.9). */
export const largestDirectForm = 12 * 1024 * 1024;

/** Maximum duration of a unary call whose caller sets no deadline, in milliseconds (open-points 1.9). */
export const defaultDeadlineMs = 30_000;
