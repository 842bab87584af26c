import { Conflict, DeadlineExceeded, Unavailable } from '@platform/service';
import { deadlineExceeded, Fault, internalFault, outcomeUnknown, unavailable } from './fault.ts';

/**
 * What the caller is answered for anything a handler throws. A cause that is ours to mend is INTERNAL.
 * @param changes whether the call may have changed something
 */
export function translate(error: unknown, changes = false): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof DeadlineExceeded) return deadlineExceeded(error);
  if (error instanceof Unavailable) {
    const isOpen = changes && error.outcome === 'unknown';
    return isOpen ? outcomeUnknown('the platform', error) : unavailable('the platform', error);
  }
  if (error instanceof Conflict) {
    return new Fault('CONFLICT', 'somebody else is changing the same thing, try again', { cause: error });
  }
  return internalFault(error);
}
