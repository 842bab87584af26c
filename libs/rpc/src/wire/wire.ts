import { serviceCredentialHeader } from '@platform/service';

/** Metadata keys of the platform's gRPC calls. */
export const wire = {
  authorization: 'authorization',
  requestId: 'x-request-id',
  serviceCredential: serviceCredentialHeader,
  /** The source address of a REST request, set by the server of the platform that received the request. */
  sourceAddress: 'platform-source-address',
  /** How many requests the caller's rate limit counts for the call; default 1. Direct callers cannot set this. */
  countsAs: 'platform-counts-as',
  /** Set if the values of a batch count towards the caller's rate limit. A direct caller's values always count. */
  countsValues: 'platform-counts-values',
  /** The party for which a service of the platform calls; see `onBehalfOf`. */
  party: 'platform-party',
  /** The fault that the gateway found in a path parameter, or in a query parameter that the access rule needs. */
  parameterFault: 'platform-parameter-fault-bin',
  /** Any other fault that the gateway found in the request, for example in the body. */
  bodyFault: 'platform-body-fault-bin',
  /** Identifies a request that its client may repeat; see `RepeatKey`. Direct callers cannot set it. */
  repeatKey: 'platform-repeat-key-bin',
  repeatBody: 'platform-repeat-body-bin',
  /** In a response: set if the answer is the kept answer of an earlier request. */
  replayed: 'platform-replayed',
  /** In a response with an object: the entity tag of the object; see `entityTagOf`. */
  revision: 'platform-revision',
  /** Set if the client marks the end of its requests with the message {@link endOfRequests}. */
  endsRequests: 'platform-ends-requests',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
} as const;

/** Maximum bytes of one message between services, such as a form with a document or a page of events. */
export const maxMessageBytes = 64 * 1024 * 1024;

/** Usual maximum size of a direct caller's message, in bytes. REST has the same limit (open-points 1.9). */
export const largestDirectMessage = 2 * 1024 * 1024;
/** Maximum size of a direct caller's form or client stream, in bytes. REST has the same limit (open-points 1.9). */
export const largestDirectForm = 12 * 1024 * 1024;

/** Maximum duration of a unary call whose caller sets no deadline, in milliseconds (open-points 1.9). */
export const defaultDeadlineMs = 30_000;
