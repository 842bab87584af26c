import { Fault } from '@platform/faults';
import type { WriteTuplesRequest, WriteTuplesResponse } from '@platform/proto/authz/v1/decision';
import type { OutgoingContext } from '@platform/rpc';
import type { Engine } from '../engine/engine.ts';
import { throwFault } from './engine-fault.ts';

/** Maximum number of tuples in one atomic write. This is OpenFGA's default limit. */
const tuplesPerWrite = 100;

/**
 * Makes one atomic write (authorization.md S4). The write fails if a tuple to write already exists, or if a tuple to
 * delete is missing. The caller decides whether to repeat a failed write.
 */
export function writeTuples(engine: Engine) {
  return async ({ deletes, writes }: WriteTuplesRequest, context: OutgoingContext): Promise<WriteTuplesResponse> => {
    const count = deletes.length + writes.length;
    if (count === 0 || count > tuplesPerWrite) {
      throw new Fault('INVALID_PARAMETER', `a write must have 1 to ${tuplesPerWrite} tuples, not ${count}`);
    }
    await engine.write(deletes, writes, context.deadline).catch(throwFault);
    return {};
  };
}
