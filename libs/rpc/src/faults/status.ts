import { Metadata, type ServiceError, status as Code } from '@grpc/grpc-js';
import { deadlineExceeded, Fault, internalFault, type ReasonName, unavailable, type Violation } from '@platform/faults';
import type { Any } from '@platform/proto/google/protobuf/any';
import { BadRequest, ErrorInfo, RetryInfo } from '@platform/proto/google/rpc/error_details';
import { Status } from '@platform/proto/google/rpc/status';
import { reasons } from '@platform/surface';

const domain = 'platform';
const typeUrl = 'type.googleapis.com/';
const trailer = 'grpc-status-details-bin';

const longestText = 1_000;
/**
 * Maximum bytes of all violations and metadata of a fault. Faults travel in HTTP/2 headers and trailers, whose size is
 * limited.
 */
const mostDetails = 8 * 1024;

/** Encodes a fault as `google.rpc.Status`, the form that services exchange. Shortens a fault that is too long. */
export function encodeFault(fault: Fault): Buffer {
  const { violations, metadata } = fittingDetails(fault);
  const details = [any('google.rpc.ErrorInfo', ErrorInfo.encode({ reason: fault.reason, domain, metadata }).finish())];
  if (violations.length > 0) {
    const fieldViolations = violations.map(({ path, message }) => ({ field: path, description: message, reason: '' }));
    details.push(any('google.rpc.BadRequest', BadRequest.encode({ fieldViolations }).finish()));
  }
  if (fault.retryAfterSeconds !== undefined) {
    const seconds = Math.floor(fault.retryAfterSeconds);
    const nanos = Math.round((fault.retryAfterSeconds - seconds) * 1e9);
    details.push(any('google.rpc.RetryInfo', RetryInfo.encode({ retryDelay: { seconds, nanos } }).finish()));
  }
  return Buffer.from(Status.encode({ code: fault.meaning.code, message: shortened(fault.message), details }).finish());
}

/** The inverse of {@link encodeFault}; undefined for bytes that do not encode a fault of the platform. */
export function decodeFault(bytes: Uint8Array): Fault | undefined {
  try {
    const status = Status.decode(bytes);
    const detail = (type: string) => status.details.find((candidate) => candidate.typeUrl === typeUrl + type)?.value;
    const info = ErrorInfo.decode(detail('google.rpc.ErrorInfo') ?? new Uint8Array());
    if (info.domain !== domain || !reasons.has(info.reason)) return undefined;
    const violations = BadRequest.decode(detail('google.rpc.BadRequest') ?? new Uint8Array()).fieldViolations;
    const retry = detail('google.rpc.RetryInfo');
    const delay = retry && RetryInfo.decode(retry).retryDelay;
    return new Fault(info.reason as ReasonName, status.message, {
      metadata: info.metadata,
      violations: violations.map(({ field, description }) => ({ path: field, message: description })),
      ...(delay ? { retryAfterSeconds: delay.seconds + delay.nanos / 1e9 } : {}),
    });
  } catch {
    return undefined;
  }
}

/** The error that grpc-js sends as the answer to a refused call. */
export function refusal(fault: Fault): { code: number; details: string; metadata: Metadata } {
  const metadata = new Metadata();
  metadata.set(trailer, encodeFault(fault));
  return { code: fault.meaning.code, details: shortened(fault.message), metadata };
}

/** Creates the error of a failed outgoing call in the form of grpc-js. @param status an encoded google.rpc.Status */
export function failed(code: number, details: string, status?: Uint8Array): ServiceError {
  const metadata = new Metadata();
  if (status !== undefined && status.length > 0) metadata.set(trailer, Buffer.from(status));
  return Object.assign(new Error(details), { code, details, metadata });
}

/** Converts CANCELLED to UNAVAILABLE, unless the caller gave up. A server that stops also sends CANCELLED. */
export function lossOf(error: ServiceError, isGivenUp: boolean): ServiceError {
  return error.code === Code.CANCELLED && !isGivenUp ? failed(Code.UNAVAILABLE, 'the call was cut off') : error;
}

/** Whether the error is the answer of the service itself, and not a lost connection. */
export function isAnswer(error: ServiceError): boolean {
  return (error.metadata?.get(trailer) ?? []).length > 0;
}

/** Returns the fault in a service's answer, or else a fault for the gRPC code. @param what name of the service */
export function faultOf(error: ServiceError, what: string): Fault {
  const [details] = error.metadata?.get(trailer) ?? [];
  const fault = details instanceof Buffer ? decodeFault(details) : undefined;
  if (fault) return fault;
  switch (error.code) {
    case Code.DEADLINE_EXCEEDED:
    case Code.CANCELLED:
      return deadlineExceeded(error);
    case Code.UNAVAILABLE:
    case Code.RESOURCE_EXHAUSTED:
      return unavailable(what, error);
    default:
      return internalFault(error);
  }
}

/** Returns the metadata and violations of a fault. Shortens violations, and omits what exceeds {@link mostDetails}. */
function fittingDetails(fault: Fault): { violations: Violation[]; metadata: Record<string, string> } {
  let left = mostDetails;
  const fits = (...texts: string[]): boolean => {
    const size = Buffer.byteLength(texts.join(''));
    if (size > left) return false;
    left -= size;
    return true;
  };
  const metadata = Object.entries(fault.metadata).filter(([key, value]) => fits(key, value));
  const violations = fault.violations
    .map(({ path, message }) => ({ path: shortened(path), message: shortened(message) }))
    .filter(({ path, message }) => fits(path, message));
  return { violations, metadata: Object.fromEntries(metadata) };
}

export function shortened(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText).toWellFormed()}…` : text;
}

function any(type: string, value: Uint8Array): Any {
  return { typeUrl: typeUrl + type, value: Buffer.from(value) };
}
