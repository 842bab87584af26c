import type { Deadline } from '@platform/service';
import { within } from '@platform/service';

/**
 * Brings the engine in line with an organization's rows, and answers whether nothing waits any more. Never throws: what
 * could not be done in time is still to be done, and will be.
 */
export type Settle = (organizationId: number, deadline: Deadline) => Promise<boolean>;

interface Flight {
  current: Promise<boolean>;
  next: Promise<boolean> | undefined;
}

/**
 * One pass per organization at a time in this process. Who comes while one is under way waits for the next, because the
 * present one may have looked at the rows already; all who come meanwhile share that next one.
 */
export function createFlights(pass: (organizationId: number) => Promise<boolean>): Settle {
  const flights = new Map<number, Flight>();

  function start(organizationId: number): Promise<boolean> {
    const flight: Flight = { current: pass(organizationId), next: undefined };
    flights.set(organizationId, flight);
    const ended = (): void => {
      if (flights.get(organizationId) === flight && flight.next === undefined) flights.delete(organizationId);
    };
    flight.current.then(ended, ended);
    return flight.current;
  }

  function join(organizationId: number): Promise<boolean> {
    const flight = flights.get(organizationId);
    if (flight === undefined) return start(organizationId);
    flight.next ??= flight.current.then(
      () => start(organizationId),
      () => start(organizationId),
    );
    return flight.next;
  }

  return (organizationId, deadline) =>
    within(deadline, join(organizationId), 'settle').catch(() => false);
}
