/** Faults: refusals of requests, with reasons and details. {@link translate} converts other errors to faults. */
export {
  deadlineExceeded, Fault, type FaultDetails, internalFault, mostViolations, notFound, outcomeUnknown, type ReasonName,
  tokenRequired, tooManyItems, translate, unavailable, type Violation,
} from './fault.ts';
