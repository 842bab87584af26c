import {
  type Deadline, deadlineIn, loop, type OpenService, remaining, seldom, Unavailable, within,
} from '@platform/service';
import { askMember, type BusConnected, type Question } from './ask-member.ts';
import { type Consumption, consume } from './consume.ts';
import { type BusLogin, dial } from './dial.ts';
import { type IntakeOptions, openIntake } from './intake.ts';
import type { Member } from './member-subjects.ts';

const connectMs = 2_000;
/** Pause before the next attempt to connect, in milliseconds. */
const tryMs = 500;

/** The bus is not connected, or it did not accept a message in time. Callers get status 503. */
export class BusUnavailable extends Unavailable {
  override readonly name = 'BusUnavailable';

  constructor(options?: ErrorOptions) {
    super('the message bus is unavailable', options);
  }
}

/** The connection of a service to the bus. It is restored automatically after any outage. */
export interface Bus extends AsyncDisposable {
  /** Sends a text and waits until the server has received it. A subscriber is not required. @throws BusUnavailable */
  publish(subject: string, text: string, deadline: Deadline): Promise<void>;
  /**
   * Asks the agent in a member cluster for all objects of a resource (open-points 13.4, 13.5).
   * @throws Fault UNAVAILABLE: nothing subscribes, or the connection was lost. DEADLINE_EXCEEDED: no complete answer in
   *   time. NOT_FOUND: the agent does not know the licence. BAD_UPSTREAM: any other error of the agent, or an answer
   *   that is malformed or too large
   * @throws BusUnavailable
   */
  ask(member: Member, question: Question, deadline: Deadline): Promise<readonly unknown[]>;
  /** Receives the events of agents and stores them, until the bus is disposed. */
  takeEvents(options: IntakeOptions): void;
  /** Handles the messages of a stream until the bus is disposed; continues after outages. See {@link Consumption}. */
  consume(consumption: Consumption): void;
}

/**
 * Connects a service to the bus in the background, so the service starts even without the bus. The readiness report
 * contains the state of the connection, but the service is ready without a connection. Registers the metric
 * `bus_connected`.
 */
export function openBus({ stack, log, metrics, readiness }: OpenService, login: BusLogin): Bus {
  let current: BusConnected | undefined;
  let trouble: unknown = new Error('not connected yet');
  let waiting = Promise.withResolvers<BusConnected>();
  let isDisposed = false;
  const own = new AsyncDisposableStack();
  const said = seldom();

  const help = 'Whether this service is connected to the message bus: 1 or 0.';
  metrics.observed({ name: 'bus_connected', help }, () => (current === undefined ? 0 : 1));
  readiness.mentions('NATS', async () => {
    if (current === undefined) throw trouble;
  });

  const connecting = own.use(loop('bus', tryMs, async (stopping) => {
    if (current !== undefined) return;
    try {
      const client = await dial(login, connectMs);
      // The bus was disposed during the connection attempt. Disposing waits until this connection is closed.
      if (stopping.aborted) return await client.close();
      const lost = new AbortController();
      current = { client, lost: lost.signal };
      waiting.resolve(current);
      void client.closed().then((error) => {
        current = undefined;
        waiting = Promise.withResolvers();
        lost.abort();
        if (!isDisposed) note(error ?? new Error('the connection was lost'));
        connecting.wake();
      });
    } catch (error) {
      note(error);
    }
  }, log));

  function note(error: unknown): void {
    trouble = error;
    const leftOut = said('away');
    if (leftOut !== undefined) log.warn({ leftOut, error }, 'not connected to the message bus; retrying');
  }

  async function connected(deadline: Deadline): Promise<BusConnected> {
    if (current !== undefined) return current;
    const soon = deadlineIn(Math.min(connectMs, remaining(deadline)));
    return within(soon, waiting.promise, 'the message bus').catch((cause: unknown) => {
      throw new BusUnavailable({ cause: trouble ?? cause });
    });
  }

  return stack.use<Bus>({
    publish: async (subject, text, deadline) => {
      const { client } = await connected(deadline);
      try {
        client.publish(subject, text);
        await within(deadline, client.flush(), 'the message bus');
      } catch (cause) {
        throw new BusUnavailable({ cause });
      }
    },
    ask: async (member, question, deadline) => askMember(await connected(deadline), member, question, deadline),
    takeEvents: (options) => void own.use(openIntake(login, options, { log, metrics, readiness })),
    consume: (consumption) => void own.use(consume(connected, consumption, { log, readiness })),
    [Symbol.asyncDispose]: async () => {
      isDisposed = true;
      await own.disposeAsync();
      await current?.client.close();
    },
  });
}
