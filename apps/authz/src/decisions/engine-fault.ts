import { Fault, unavailable } from '@platform/faults';
import { DeadlineExceeded } from '@platform/service';
import { EngineError } from '../engine/engine-error.ts';

/**
 * Throws Fault CONFLICT for an EngineError `conflict`, INVALID_PARAMETER for `refused`, and UNAVAILABLE for any other
 * EngineError and for DeadlineExceeded: without an answer of the engine, nothing may be allowed or denied. Throws other
 * errors unchanged.
 */
export function throwFault(error: unknown): never {
  if (error instanceof EngineError && error.failure === 'conflict') {
    throw new Fault('CONFLICT', 'the write conflicts with the stored tuples or with another write', { cause: error });
  }
  if (error instanceof EngineError && error.failure === 'refused') {
    throw new Fault('INVALID_PARAMETER', `the engine rejects the request: ${error.message}`, { cause: error });
  }
  if (error instanceof EngineError || error instanceof DeadlineExceeded) throw unavailable('authorization', error);
  throw error;
}
