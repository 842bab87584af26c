import { Fault, unavailable } from '@platform/faults';
import { DeadlineExceeded } from '@platform/service';
import { EngineError } from '../engine/engine-error.ts';

/**
 * The fault that the caller gets for a failure of the engine. A conflict, and tuples that the model does not know, are
 * mistakes of the caller. Every other failure becomes UNAVAILABLE, because without an answer of the engine nothing may
 * be allowed or denied.
 */
export function engineFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  if (error instanceof EngineError && error.failure === 'conflict') {
    return new Fault('CONFLICT', 'the tuples have changed, so this write does not apply', { cause: error });
  }
  if (error instanceof EngineError && error.failure === 'refused') {
    return new Fault('INVALID_PARAMETER', `the model does not know this type or relation: ${error.message}`, { cause: error });
  }
  if (error instanceof EngineError || error instanceof DeadlineExceeded) return unavailable('authorization', error);
  throw error;
}
