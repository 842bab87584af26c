import { Fault } from '@platform/faults';
import type { WriteTuplesRequest, WriteTuplesResponse } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext } from '@platform/rpc';
import type { Engine } from '../engine/engine.ts';
import { throwFault } from './engine-fault.ts';

/** OpenFGA's own limit for one atomic write. */
const tuplesPerWrite = 100;

/**
 * One atomic strict write (authorization.md S4). It is never retried, because the caller must know the outcome to go
 * on.
 */
export function writeTuples(engine: Engine) {
  return async ({ deletes, writes }: WriteTuplesRequest, context: OutgoingContext): Promise<WriteTuplesResponse> => {
    const count = deletes.length + writes.length;
    if (count === 0 || count > tuplesPerWrite) {
      throw new Fault('INVALID_PARAMETER', `a write has 1 to ${tuplesPerWrite} tuples, not ${count}`);
    }
    await engine.write(deletes, writes, context.deadline).catch(throwFault);
    return {};
  };
}
