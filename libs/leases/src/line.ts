import { randomUUID } from 'node:crypto';
import { type BusConnection, type BusLogin, connectBus } from '@platform/bus';
import { type Logger, loop, seldom } from '@platform/service';

/**
 * A connection to the bus. Processes that change rows publish the keys of the changes. Holders (processes that keep
 * answers) acknowledge the keys.
 */
export interface LeaseLine extends AsyncDisposable {
  /** Whether this process is connected and receives keys now. */
  readonly isOpen: boolean;
  /** Publishes the keys of changes. Acknowledgements name the `round`. A lost message causes no error. */
  tell(round: string, keys: readonly string[]): void;
  /** Sets the listener for acknowledgements of keys that this process has published. */
  acknowledged(heard: (round: string, session: string) => void): void;
  /**
   * Sets the listener for published keys. The listener must drop the answers with these keys before it calls
   * `acknowledge`.
   */
  told(heard: (keys: readonly string[], acknowledge: (session: string) => void) => void): void;
  /** Sets the listener for a lost connection. No keys arrive from the bus until this process is connected again. */
  lost(heard: () => void): void;
}

const connectMs = 2_000;
const tryMs = 500;

/**
 * Connects to the bus in the background, and again after each loss of the connection.
 * @param authority name of the service whose changes are published
 */
export function openLine(login: BusLogin, authority: string, log: Logger): LeaseLine {
  const telling = `platform.leases.${authority}`;
  const own = `platform.leases.acknowledged.${randomUUID()}`;
  let current: BusConnection | undefined;
  let onAcknowledged: (round: string, session: string) => void = () => undefined;
  let onTold: (keys: readonly string[], acknowledge: (session: string) => void) => void = () => undefined;
  let onLost: () => void = () => undefined;
  const said = seldom();

  function send(subject: string, text: string, replyTo?: string): void {
    const sending = current?.publish(subject, text, replyTo === undefined ? {} : { replyTo });
    // The error needs no handling: a lost message counts as not acknowledged.
    sending?.catch(() => undefined);
  }

  const connecting = loop('lease-line', tryMs, async (stopping) => {
    if (current !== undefined) return;
    let connection: BusConnection | undefined;
    try {
      connection = await connectBus(login, connectMs);
      await connection.subscribe(`${own}.*`, ({ subject, text }) => onAcknowledged(subject.slice(own.length + 1), text));
      await connection.subscribe(telling, ({ text, replyTo }) => {
        onTold(JSON.parse(text) as string[], (session) => {
          if (replyTo !== undefined) send(replyTo, session);
        });
      });
    } catch (error) {
      await connection?.[Symbol.asyncDispose]();
      const leftOut = said('away');
      const message = 'cannot reach the bus: changes of rights and tokens wait until leases expire';
      if (leftOut !== undefined) log.warn({ leftOut, error }, message);
      return;
    }
    if (stopping.aborted) return connection[Symbol.asyncDispose]();
    current = connection;
    void connection.closed.then(() => {
      current = undefined;
      onLost();
      connecting.wake();
    });
  }, log);

  return {
    get isOpen() {
      return current !== undefined;
    },
    tell: (round, keys) => {
      // The listener in this process receives the keys at once, and usually a second time from the bus.
      onTold(keys, (session) => onAcknowledged(round, session));
      send(telling, JSON.stringify(keys), `${own}.${round}`);
    },
    acknowledged: (heard) => {
      onAcknowledged = heard;
    },
    told: (heard) => {
      onTold = heard;
    },
    lost: (heard) => {
      onLost = heard;
    },
    [Symbol.asyncDispose]: async () => {
      await connecting[Symbol.asyncDispose]();
      await current?.[Symbol.asyncDispose]();
    },
  };
}
