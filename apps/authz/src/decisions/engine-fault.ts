import { Fault, unavailable } from '@platform/faults';
import { DeadlineExceeded } from '@platform/service';
import { EngineError } from '../engine/engine-error.ts';

/**
 * Throws a Fault for a failed call to the engine. The failure `conflict` becomes CONFLICT, and `refused` becomes
 * INVALID_PARAMETER. Other EngineErrors and DeadlineExceeded become UNAVAILABLE. Other errors are thrown unchanged.
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
