/** Intended refusals, with their reasons and details, and the faults for failures of dependencies. */
export {
  deadlineExceeded, Fault, type FaultDetails, internalFault, mostViolations, notFound, outcomeUnknown, type ReasonName,
  tokenRequired, tooManyItems, translate, unavailable, type Violation,
} from './fault.ts';
