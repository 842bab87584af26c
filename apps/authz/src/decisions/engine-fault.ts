import { Fault, unavailable } from '@platform/faults';
import { DeadlineExceeded } from '@platform/service';
import { EngineError } from '../engine/engine-error.ts';

/**
 * Throws the fault that the caller gets for a failure of the engine. A conflict, and tuples that the model does not
 * know, are mistakes of the caller. Every other failure of the engine becomes UNAVAILABLE, because without an answer of
 * the engine nothing may be allowed or denied.
 */
export function throwFault(error: unknown): never {
  if (error instanceof EngineError && error.failure === 'conflict') {
    throw new Fault('CONFLICT', 'the tuples have changed, so this write does not apply', { cause: error });
  }
  if (error instanceof EngineError && error.failure === 'refused') {
    throw new Fault('INVALID_PARAMETER', `the model does not know this type or relation: ${error.message}`, { cause: error });
  }
  if (error instanceof EngineError || error instanceof DeadlineExceeded) throw unavailable('authorization', error);
  throw error;
}
