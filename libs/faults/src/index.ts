/** Refusals by design: their reasons, what they carry, and what a failure of a dependency becomes. */
export {
  deadlineExceeded, Fault, type FaultDetails, internalFault, mostViolations, notFound, outcomeUnknown, type ReasonName,
  tokenRequired, tooManyItems, translate, unavailable, type Violation,
} from './fault.ts';
