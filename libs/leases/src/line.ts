import { randomUUID } from 'node:crypto';
import { type BusConnection, type BusLogin, connectBus } from '@platform/bus';
import { type Logger, loop, seldom } from '@platform/service';

/** The messages about the changes of one authority: a service whose answers are kept under leases. */
export interface LeaseLine {
  /** Whether this process is connected now, and so receives the keys that other processes publish. */
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

/** The connection of this process to the bus, for all its lines. */
export interface LeaseBus extends AsyncDisposable {
  /** Opens the line of an authority in the background. @param authority name of the service */
  line(authority: string): LeaseLine;
}

/** A {@link LeaseLine}, with the functions that open and close it. */
interface OwnedLine {
  readonly line: LeaseLine;
  isOpen(): boolean;
  subscribe(connection: BusConnection): Promise<void>;
  open(connection: BusConnection): void;
  close(): void;
}

const connectMs = 2_000;
/** Pause after a failed attempt to connect, in milliseconds. */
const tryMs = 500;
/** Pause while nothing is to be done, in milliseconds. A lost connection or a new line ends the pause. */
const restMs = 60_000;

/** Connects to the bus in the background, and again after each loss of the connection. */
export function connectLeaseBus(login: BusLogin, log: Logger): LeaseBus {
  const lines: OwnedLine[] = [];
  let current: BusConnection | undefined;
  const said = seldom();

  async function connect(): Promise<BusConnection> {
    const connection = await connectBus(login, connectMs);
    current = connection;
    void connection.closed.then(() => {
      current = undefined;
      for (const { close } of lines) close();
      connecting.wake();
    });
    return connection;
  }

  async function openLines(): Promise<void> {
    const closed = lines.filter(({ isOpen }) => !isOpen());
    if (closed.length === 0) return;
    const connection = current ?? await connect();
    await Promise.all(closed.map(({ subscribe }) => subscribe(connection)));
    // The connection may have been lost meanwhile.
    if (connection === current) for (const { open } of closed) open(connection);
  }

  const connecting = loop('lease-bus', tryMs, async () => {
    try {
      await openLines();
      return lines.every(({ isOpen }) => isOpen()) ? restMs : tryMs;
    } catch (error) {
      await current?.[Symbol.asyncDispose]();
      const leftOut = said('away');
      const message = 'cannot reach the bus: changes of rights and tokens wait until leases expire';
      if (leftOut !== undefined) log.warn({ leftOut, error }, message);
      return tryMs;
    }
  }, log);

  return {
    line: (authority) => {
      const owned = createLine(authority);
      lines.push(owned);
      connecting.wake();
      return owned.line;
    },
    [Symbol.asyncDispose]: async () => {
      await connecting[Symbol.asyncDispose]();
      await current?.[Symbol.asyncDispose]();
    },
  };
}

function createLine(authority: string): OwnedLine {
  const telling = `platform.leases.${authority}`;
  const own = `platform.leases.acknowledged.${randomUUID()}`;
  let current: BusConnection | undefined;
  let onAcknowledged: ((round: string, session: string) => void) | undefined;
  let onTold: ((keys: readonly string[], acknowledge: (session: string) => void) => void) | undefined;
  let onLost: (() => void) | undefined;

  function send(subject: string, text: string, replyTo?: string): void {
    const sending = current?.publish(subject, text, replyTo === undefined ? {} : { replyTo });
    // The error needs no handling: a lost message counts as not acknowledged.
    sending?.catch(() => undefined);
  }

  return {
    isOpen: () => current !== undefined,
    subscribe: async (connection) => {
      if (onAcknowledged !== undefined) {
        await connection.subscribe(
          `${own}.*`, ({ subject, text }) => onAcknowledged?.(subject.slice(own.length + 1), text));
      }
      await connection.subscribe(telling, ({ text, replyTo }) => {
        onTold?.(JSON.parse(text) as string[], (session) => {
          if (replyTo !== undefined) send(replyTo, session);
        });
      });
    },
    open: (connection) => {
      current = connection;
    },
    close: () => {
      if (current === undefined) return;
      current = undefined;
      onLost?.();
    },
    line: {
      get isOpen() {
        return current !== undefined;
      },
      tell: (round, keys) => {
        // The listener in this process receives the keys at once, and usually a second time from the bus.
        onTold?.(keys, (session) => onAcknowledged?.(round, session));
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
    },
  };
}
