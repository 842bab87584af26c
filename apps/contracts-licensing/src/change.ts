import type { Database } from '@platform/postgres';
import type { Guard } from '@platform/rpc';
import { createLocks, createWrite, remoteAdmission, type Work as WriteWork, type WriteContext } from '@platform/writes';
import { insertEvents, type NewEvent, system } from './contracts/events.ts';

export interface Work extends WriteWork {
  /** Records events of contracts in the transaction of the change. */
  record(...events: readonly NewEvent[]): Promise<void>;
}

/**
 * Changes rows in one transaction. Before `act`, confirms the decision that admitted the call. `act` may run several
 * times, so `act` must have effects only through `work`. `act` must lock contracts before other rows, by ascending id.
 */
export type Change = <Result>(context: WriteContext, act: (work: Work) => Promise<Result>) => Promise<Result>;

export function createChange(database: Database, guard: Guard): Change {
  const write = createWrite({ database, locks: createLocks([]), admission: remoteAdmission(guard) });
  return (context, act) => {
    const addedBy = context.caller?.login ?? system;
    return write(context, [], (work) =>
      act(Object.assign(work, { record: (...events: readonly NewEvent[]) => insertEvents(work, addedBy, events) })));
  };
}
